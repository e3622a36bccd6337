import type { Model } from "../../../sandbox/core/model";
import type { Pipe } from "../../../sandbox/core/resources/pipeRecords";
import { sourceOf } from "../../../sandbox/core/resources/productPipes";
import { type ReversePrivateEndpoint, seededCredentials } from "../../../sandbox/index";
import type { Act } from "./history";

export type Held = Pipe | ReversePrivateEndpoint;

/** A value of a pipe that the simulated person in the console has set and that no update has changed since. */
export interface Change {
  readonly id: string;
  /** The input of the pipe that the simulated person's change concerns. */
  readonly about: "name" | "state" | "settings" | "scaling" | "source" | "destination";
  /** True if no program declares the changed value. */
  readonly isForeign: boolean;
  readonly at: number;
  readonly read: (pipe: Pipe) => unknown;
  readonly value: unknown;
  /** True once a refresh or an update has written the value that the person changed to the Pulumi state. */
  isKnown: boolean;
}

/** Returns the state that a simulated pipe will reach: `running`, `stopped`, or ClickHouse Cloud's name of any other state. */
export function endOf({ state, steps = [] }: Pipe): string {
  const end = steps.at(-1)?.state ?? state;
  if (["Running", "Snapshot"].includes(end)) return "running";
  return ["Stopped", "Paused"].includes(end) ? "stopped" : end;
}

const isStreaming = (pipe: Pipe) => sourceOf(pipe).kind !== "postgres";

const mappingsOf = (pipe: Pipe) => sourceOf(pipe).members.tableMappings as { sourceTable: string }[];

/**
 * Carries out each act of the simulated person on a pipe. The result says which input changed; undefined if the act does not
 * apply to the pipe.
 */
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

/** Simulates a person who changes the pipes of a service in its web console. */
export class Console {
  /** Ids of pipes that have failed since they lost their source, and that have not run since. */
  readonly #failed = new Set<string>();
  /** The simulated person's changes of pipes that nothing has overwritten yet. */
  readonly standing: Change[] = [];

  constructor(private readonly model: Model) {}

  act(act: Act, held: Held | undefined): void {
    const { store } = this.model;
    if (act === "idles" || act === "wakes") {
      const service = store.services.get(seededCredentials.serviceId);
      if (service) service.state = act === "idles" ? "idle" : "running";
    } else if (held && act === "deletes") {
      store.pipes.delete(held.id);
      store.reversePrivateEndpoints.delete(held.id);
      this.forget(held.id);
    } else if (held && act === "fails") {
      if (!("source" in held) || !isStreaming(held) || held.state !== "Running") return;
      held.state = "Failed";
      this.#failed.add(held.id);
      for (const change of this.standing.filter(({ id, about }) => id === held.id && about === "state"))
        this.#drop(change);
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

  /** Whether a pipe had lost its source, and had failed, before the last write of the provider. */
  hadFailed(id: string): boolean {
    return this.#failed.has(id);
  }

  /** Forgets the pipes that a write of the provider has brought out of their failure. */
  noteWrite(): void {
    for (const id of this.#failed)
      if (this.model.store.pipes.get(id)?.state !== "Failed") this.#failed.delete(id);
  }

  /** Gives the pipes that have failed their source back. */
  heal(): void {
    this.noteWrite();
    for (const id of this.#failed) Object.assign(this.model.store.pipes.get(id) ?? {}, { state: "Running" });
    this.#failed.clear();
  }

  /** Ends the provisioning of objects that were created while the simulated service left the provisioning unfinished. */
  endHangs(created: readonly Held[]): void {
    for (const record of created) {
      if ("source" in record) {
        if (record.state === "Provisioning" && !record.steps) record.state = "Running";
      } else if (record.status === "Provisioning" && !record.steps) record.status = "PendingAcceptance";
    }
  }

  forget(id: string): void {
    for (const change of this.standing.filter((each) => each.id === id)) this.#drop(change);
  }

  /** Marks the person's changes of a pipe as known to the user, after a refresh has read the pipe. */
  noteShown(id: string): void {
    for (const change of this.standing) if (change.id === id) change.isKnown = true;
  }

  /** Returns the simulated person's changes that a request has just overwritten, and forgets them. */
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
