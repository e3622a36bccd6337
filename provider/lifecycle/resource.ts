import type { OperationName } from "../api/operations";
import type { PropertyMap } from "../values/data";
import type { Definition } from "./definition";
import type { Steps } from "./life";
import type { State } from "./state";

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
