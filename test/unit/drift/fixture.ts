import { resolveSettings } from "../../../provider/api/settings";
import { check } from "../../../provider/lifecycle/check";
import { deleteUnlessDeclared } from "../../../provider/lifecycle/delete";
import { diff } from "../../../provider/lifecycle/diff";
import type { Resource } from "../../../provider/lifecycle/resource";
import { Session } from "../../../provider/lifecycle/session";
import type { State } from "../../../provider/lifecycle/state";
import { resources, type TypeName } from "../../../provider/resources/registry";
import type { Change } from "../../../provider/values/compare";
import type { PropertyMap } from "../../../provider/values/data";
import { settingsOf } from "../../serviceContents";

/** Opens a session of the provider as one process of the engine's host would, and collects its warnings. */
export function sessionOf(sandbox: Parameters<typeof settingsOf>[0], further: Record<string, string> = {}) {
  return sessionFrom({ ...settingsOf(sandbox), maxRetries: "0", ...further });
}

export function sessionFrom(settings: Record<string, string>) {
  const warnings: string[] = [];
  const session = new Session(() => resolveSettings([(name) => settings[name]]), {
    warn: (text) => warnings.push(text),
    info: () => undefined,
  });
  return { session, warnings };
}

/**
 * A declared object with the inputs, id and Pulumi state that the engine would have. Its methods run the steps that the engine
 * runs.
 */
export class Declared {
  id = "";
  state: State = {};
  inputs: PropertyMap = {};
  /** True if the create made the object but failed. The next `pulumi up` then updates the object even if the diff is empty. */
  #isUnfinished = false;

  constructor(
    readonly type: TypeName,
    readonly program: PropertyMap,
  ) {}

  get resource(): Resource {
    return resources[this.type];
  }

  async up(session: Session): Promise<Change[]> {
    const { inputs, failures } = check(this.resource, this.inputs, this.program, session);
    if (failures.length > 0) throw new Error(JSON.stringify(failures));
    if (!this.id) {
      const { id, state, failure } = await this.resource.create(inputs, session);
      Object.assign(this, { id, state: roundTrip(state), inputs });
      this.#isUnfinished = failure !== undefined;
      if (failure) throw failure;
      return [];
    }
    const changes = await diff(this.resource, this.id, this.state, inputs, session);
    if (changes.length > 0 || this.#isUnfinished) {
      this.state = roundTrip(await this.resource.update(this.id, this.state, inputs, session));
      this.#isUnfinished = false;
    }
    this.inputs = inputs;
    return changes;
  }

  changedTo(program: PropertyMap): Declared {
    const { type, id, state, inputs } = this;
    return Object.assign(new Declared(type, program), { id, state, inputs });
  }

  delete(session: Session): Promise<void> {
    return deleteUnlessDeclared(this.resource, this.id, this.state, session, false);
  }

  /**
   * Does what `pulumi refresh` does for the object, and returns the property paths that the next preview would show as drifted.
   */
  async refresh(session: Session): Promise<string[] | "gone" | "unseen"> {
    const live = await this.resource.read(this.id, this.state, session);
    if (live === "gone" || live === "unseen") return live;
    this.state = roundTrip(live.state);
    const { inputs } = check(this.resource, this.inputs, this.program, session);
    this.inputs = roundTrip(live.inputs);
    return (await diff(this.resource, this.id, this.state, inputs, session)).map(({ path }) => path);
  }
}

/** Runs a task in virtual time after three minutes, when the API's reads must show objects that were created before. */
export async function threeMinutesLater<Result>(task: () => Promise<Result>): Promise<Result> {
  const { now } = Date;
  Date.now = () => now() + 240_000;
  try {
    return await task();
  } finally {
    Date.now = now;
  }
}

/** Converts a Pulumi state to JSON and back as the engine does, which loses the order of properties. */
function roundTrip<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(sortMembers(value))) as Value;
}

function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, member]) => [name, sortMembers(member)]),
  );
}
