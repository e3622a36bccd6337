import type { OperationName } from "../api/operations";
import type { Change } from "../values/compare";
import type { PropertyMap } from "../values/data";
import type { Failure } from "../values/validate";
import type { Definition } from "./definition";
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

/**
 * The error of an update of which the API carried out a part. The Pulumi state has that part; the next update does the rest.
 */
export class UpdatedIncompletely extends Error {
  constructor(
    readonly state: State,
    message: string,
  ) {
    super(message);
  }
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

/** A type of resource: its definition, and the steps of its life. */
export interface Resource extends Definition, Steps {
  /** For a set such as an AlertSet: the type of its entries, and the declared entries as inputs of that type. */
  readonly entries?: {
    readonly of: Resource;
    declaredIn(inputs: PropertyMap): readonly { readonly key: string; readonly inputs: PropertyMap }[];
  };
  /** The types of resource whose objects use objects of this type, as the registry finds them. */
  dependents?(): readonly Dependent[];
}

/** A type whose objects use the objects of another type, such as alerts that use webhooks. */
export interface Dependent {
  readonly definition: Pick<Definition, "type" | "noun" | "operations" | "scope">;
  /** The properties of the using objects, at any depth, that hold ids of used objects. */
  readonly members: readonly string[];
  /** What happens to the using objects when the used object is deleted: a sentence for a warning, without its full stop. */
  readonly consequence?: string;
  /** Whether the API deletes the using objects along with the used one. */
  readonly isDeletedToo: boolean;
  /** The objects whose deletion makes the API delete a using object, too. */
  ownersOf(object: PropertyMap): readonly { readonly type: string; readonly id: string }[];
}

/** The API operations that a resource type's steps call, including lists of the objects that may use a deleted object. */
export function operationsOf({
  operations,
  calls = [],
  dependents: users,
}: Pick<Resource, "operations" | "calls" | "dependents">): readonly OperationName[] {
  const { create, get, update, delete: remove, list } = operations;
  const lists = (users?.() ?? []).map(({ definition }) => definition.operations.list);
  const used = [create, get, update, remove, list, ...calls, ...(remove ? lists : [])];
  return [...new Set(used.flatMap((name) => name ?? []))];
}

/** The result of an update. If the update was carried out in part, the result has the new Pulumi state and the failure. */
export async function updateAsFarAsPossible(
  resource: Resource,
  ...args: Parameters<Steps["update"]>
): Promise<{ readonly state: State; readonly failure?: Error }> {
  try {
    return { state: await resource.update(...args) };
  } catch (error) {
    if (error instanceof UpdatedIncompletely) return { state: error.state, failure: error };
    throw error;
  }
}
