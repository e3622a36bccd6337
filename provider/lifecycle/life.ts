import type { Change } from "../values/compare";
import type { PropertyMap } from "../values/data";
import type { Failure } from "../values/validate";
import type { Session } from "./session";
import type { State } from "./state";

export interface Checked {
  /** The declared inputs, completed by the organization and service from the settings. */
  readonly inputs: PropertyMap;
  readonly failures: readonly Failure[];
  readonly warnings: readonly string[];
}

export interface Created {
  readonly id: string;
  readonly state: State;
  /**
   * The error of a create that failed after the object was created: the state keeps the object for the next update to complete.
   */
  readonly failure?: Error;
}

/** The steps in the life of a resource. */
export interface Steps {
  /** Checks the inputs that a program declares. `olds` are those in the Pulumi state, empty for a new resource. */
  check(olds: PropertyMap, news: PropertyMap, session: Session): Promise<Checked>;
  diff(id: string, state: State, inputs: PropertyMap, session: Session): Promise<readonly Change[]>;
  /**
   * The planned properties of a resource for a preview: its inputs, and the outputs that the change leaves alone. Values that
   * nobody knows yet are `unknown`, at any depth. `state` and `id` are undefined for an object that is to be created.
   *
   * @param session has the settings, from which `url` follows; without a session `url` is unknown
   */
  plan(state: State | undefined, inputs: PropertyMap, session?: Session, id?: string): PropertyMap;
  /** Creates the object, or takes over the one that `adoptId` names. */
  create(inputs: PropertyMap, session: Session): Promise<Created>;
  /**
   * Reads an object for a refresh or an import: returns the declared inputs, with live values where they drifted, and the new
   * Pulumi state. If the present state declares nothing, as in an import, all properties in the API's answer count as declared.
   *
   * @returns `unseen`, with one warning per type, if the server has no route to read objects of this type
   */
  read(
    id: string,
    state: State,
    session: Session,
  ): Promise<{ inputs: PropertyMap; state: State } | "gone" | "unseen">;
  /**
   * Updates an object in place.
   * @throws UpdatedIncompletely if a part of the update failed
   */
  update(id: string, state: State, inputs: PropertyMap, session: Session): Promise<State>;
  /** Deletes the object, if it still exists. If the type has no delete operation, the object stays in the API. */
  delete(id: string, state: State, session: Session): Promise<void>;
}

/** What a type does around the steps of its life: each function gets the usual step, and then the step's own arguments. */
export type Around = {
  readonly [Step in keyof Steps]?: (
    usual: Steps[Step],
    ...args: Parameters<Steps[Step]>
  ) => ReturnType<Steps[Step]>;
};
