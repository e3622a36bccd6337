import { mock } from "node:test";
import { setImmediate } from "node:timers/promises";
import { Client } from "../../../provider/api/client";
import type { Data } from "../../../provider/values/data";
import { mockTime } from "../api/mockTime";

/** How a service treats a write. */
export type Course = "carriesOut" | "ignores" | "answersLate";

type Stored = Record<string, unknown> & { id: string };

/** A deep copy of plain data, many times as fast as structuredClone. */
function copy<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copy) as Value;
  const result: Record<string, unknown> = {};
  for (const name of Object.keys(value)) result[name] = copy((value as Record<string, unknown>)[name]);
  return result as Value;
}

/** One collection of a service without a network between: thousands of cases run in seconds. */
export class MemoryService {
  readonly objects = new Map<string, Stored>();
  readonly lines: string[] = [];
  /** How the next writes are treated. Default: carried out. */
  courses: Course[] = [];
  /** What the service makes of an object that it is sent: `sent` replaces `stored`. */
  replace: (sent: Data, stored: Data) => Data = (sent) => sent;
  #stale = new Map<string, { object: Stored; answers: number }>();
  #created = 0;

  /** So many further answers show an object as it was before a write that is answered late. */
  lateAnswers = 1;

  call(name: string, { id = "" }: { id?: string }, body?: unknown): unknown {
    this.lines.push(name);
    if (name.startsWith("list")) return [...this.objects.keys()].map((each) => this.#shown(each));
    if (name.startsWith("get")) return this.#shown(id);
    if (name.startsWith("create")) {
      const created = `o${++this.#created}`;
      this.#store(created, this.replace(copy(body) as Data, {}));
      return this.#shown(created);
    }
    const stored = this.objects.get(id) as Stored;
    const course = this.courses.shift() ?? "carriesOut";
    if (course === "answersLate") this.#stale.set(id, { object: copy(stored), answers: this.lateAnswers });
    if (course !== "ignores") this.#store(id, this.replace(copy(body) as Data, stored));
    return this.#shown(id);
  }

  /** All replicas have the newest values from now on. */
  settle(): void {
    this.#stale.clear();
  }

  /** Tiles get their ids from the service. */
  #store(id: string, object: Data): void {
    const { tiles } = object;
    const withIds = (each: Data) => ({ ...each, id: each.id ?? `t${++this.#created}` });
    this.objects.set(id, { ...object, id, ...(Array.isArray(tiles) ? { tiles: tiles.map(withIds) } : {}) });
  }

  #shown(id: string): Data {
    const stale = this.#stale.get(id);
    if (stale && stale.answers-- > 0) return copy(stale.object);
    return copy(this.objects.get(id) as Stored);
  }
}

/** Provides one to each test of the surrounding `describe`, in place of the network. Waits take no time. */
export function useMemoryService(): { current: MemoryService } {
  const service = { current: new MemoryService() };
  const { call } = Client.prototype;
  beforeEach(() => {
    service.current = new MemoryService();
    mockTime();
    // A mock would keep every call with its stack, which takes most of the time of thousands of cases.
    Client.prototype.call = async (name, parameters, body) =>
      service.current.call(name, parameters, body) as never;
  });
  afterEach(() => {
    Client.prototype.call = call;
    mock.reset();
  });
  return service;
}

/** The result of what may wait. */
export async function withoutWaiting<Result>(acting: Promise<Result>): Promise<Result> {
  let isOver = false;
  const watched = acting.finally(() => {
    isOver = true;
  });
  watched.catch(() => {});
  for (let turn = 0; !isOver; turn++) {
    await setImmediate();
    if (turn > 2) mock.timers.tick(1000);
  }
  return watched;
}
