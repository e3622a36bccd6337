import type { Model } from "../../../sandbox/core/model";
import type { Pipe } from "../../../sandbox/core/resources/pipeRecords";
import { sourceOf } from "../../../sandbox/core/resources/productPipes";
import { type ReversePrivateEndpoint, seededCredentials } from "../../../sandbox/index";
import type { Act } from "./history";

type Held = Pipe | ReversePrivateEndpoint;

/** What somebody has changed, and nobody has changed since. */
export interface Change {
  readonly id: string;
  /** The input that it is about. */
  readonly about: "name" | "state" | "settings" | "scaling" | "source" | "destination";
  /** Whether no program declares it. */
  readonly isForeign: boolean;
  readonly at: number;
  /** What the service has of it. */
  readonly read: (pipe: Pipe) => unknown;
  readonly value: unknown;
  /** Set once a refresh has shown it to the user. */
  isKnown: boolean;
}

/** Where a pipe is heading: `running`, `stopped`, or another state of the product. */
export function endOf({ state, steps = [] }: Pipe): string {
  const end = steps.at(-1)?.state ?? state;
  if (["Running", "Snapshot"].includes(end)) return "running";
  return ["Stopped", "Paused"].includes(end) ? "stopped" : end;
}

const isStreaming = (pipe: Pipe) => sourceOf(pipe).kind !== "postgres";

const mappingsOf = (pipe: Pipe) => sourceOf(pipe).members.tableMappings as { sourceTable: string }[];

/** What each act changes; undefined where it can change nothing. */
const changes: {
  readonly [act in Act]?: (
    pipe: Pipe,
  ) =>
    | { readonly about: Change["about"]; readonly read: Change["read"]; readonly isForeign?: true }
    | undefined;
} = {
  renames(pipe) {
    pipe.name = `${pipe.name.slice(0, 20)} of somebody`;
    return { about: "name", read: ({ name }) => name };
  },
  stops(pipe) {
    if (pipe.state !== "Running") return undefined;
    pipe.state = isStreaming(pipe) ? "Stopped" : "Paused";
    return { about: "state", read: endOf };
  },
  starts(pipe) {
    if (!["Stopped", "Paused"].includes(pipe.state) || pipe.steps) return undefined;
    pipe.state = "Running";
    return { about: "state", read: endOf };
  },
  tunes(pipe) {
    if (!isStreaming(pipe)) return undefined;
    pipe.settings = { ...pipe.settings, engine_max_insert_threads: 9 };
    return {
      about: "settings",
      read: ({ settings }) => settings.engine_max_insert_threads,
      isForeign: true,
    };
  },
  sets(pipe) {
    if (!isStreaming(pipe)) return undefined;
    pipe.settings = { ...pipe.settings, streaming_max_insert_wait_ms: 3000 };
    return { about: "settings", read: ({ settings }) => settings.streaming_max_insert_wait_ms };
  },
  scales(pipe) {
    if (!isStreaming(pipe)) return undefined;
    pipe.scaling = { ...pipe.scaling, replicas: 7 };
    return { about: "scaling", read: ({ scaling }) => scaling.replicas };
  },
  maps(pipe) {
    if (isStreaming(pipe)) {
      const { columns = [] } = pipe.destination;
      if (columns.some(({ name }) => name === "extra")) return undefined;
      pipe.destination = { ...pipe.destination, columns: [...columns, { name: "extra", type: "String" }] };
      const read = ({ destination }: Pipe) => destination.columns?.some(({ name }) => name === "extra");
      return { about: "destination", read };
    }
    if (mappingsOf(pipe).some(({ sourceTable }) => sourceTable === "somebodys")) return undefined;
    const names = { sourceSchemaName: "public", sourceTable: "somebodys", targetTable: "somebodys" };
    const { members } = sourceOf(pipe);
    pipe.source = { postgres: { ...members, tableMappings: [...mappingsOf(pipe), names] } as never };
    return {
      about: "source",
      read: (now) => mappingsOf(now).some(({ sourceTable }) => sourceTable === "somebodys"),
    };
  },
};

/** Somebody who looks after the pipes of a service in its console. */
export class Console {
  /** What still stands of it. */
  readonly standing: Change[] = [];

  constructor(private readonly model: Model) {}

  /** Does something to a pipe, if it can be done. */
  act(act: Act, held: Held | undefined): void {
    const { store } = this.model;
    if (act === "idles" || act === "wakes") {
      const service = store.services.get(seededCredentials.serviceId);
      if (service) service.state = act === "idles" ? "idle" : "running";
    } else if (held && act === "deletes") {
      store.pipes.delete(held.id);
      store.reversePrivateEndpoints.delete(held.id);
      this.forget(held.id);
    } else if (held && "source" in held) {
      const change = changes[act]?.(held);
      if (!change) return;
      const { about, read, isForeign = false } = change;
      const others = this.standing.filter((other) => other.id === held.id && other.about === about);
      for (const other of others) if (other.read(held) !== other.value) this.#drop(other);
      const value = read(held);
      this.standing.push({ id: held.id, about, read, isForeign, value, at: Date.now(), isKnown: false });
    }
  }

  /** Forgets what it did to a pipe that is gone. */
  forget(id: string): void {
    for (const change of this.standing.filter((each) => each.id === id)) this.#drop(change);
  }

  /** Marks what a refresh has shown of a pipe. */
  noteShown(id: string): void {
    for (const change of this.standing) if (change.id === id) change.isKnown = true;
  }

  /** What a request has undone, which stands no longer. */
  undone(): readonly Change[] {
    const undone = this.standing.filter(({ id, read, value }) => {
      const pipe = this.model.store.pipes.get(id);
      return pipe !== undefined && read(pipe) !== value;
    });
    for (const change of undone) this.#drop(change);
    return undone;
  }

  #drop(change: Change): void {
    this.standing.splice(this.standing.indexOf(change), 1);
  }
}
