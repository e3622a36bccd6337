import { InvalidIdentifier, MissingObject, MissingRoute } from "../api/errors";
import type { ListOperation } from "../api/operations";
import type { Data } from "./data";
import { leavesOpen, objectItself } from "./objects";
import type { Collection, Context } from "./resource";

/** For so long a list serves the looks before writes: one list for all updates of a collection. */
const servedMilliseconds = 60_000;

/**
 * The object as the service shows it before a write: not before this run began to write to the collection, nor before
 * its own last write to the object.
 *
 * @returns undefined if the service does not show it
 * @throws ApiError if no look tells: a write would replace what nobody has seen
 */
export function lookBefore(collection: Collection, id: string, context: Context): Promise<Data | undefined> {
  return look(collection, id, context, () => listBeforeWrites(collection, context).find(id));
}

/** The object as the service shows it from now on. All who look at a collection at the same time share one list. */
export function lookAgain(collection: Collection, id: string, context: Context): Promise<Data | undefined> {
  return look(collection, id, context, () =>
    context.session.findFresh(collection.operations.list, context.scope, id),
  );
}

/** Says that the object was written to, or may have been: no earlier look shows it. */
export function noteWrite(collection: Collection, id: string, context: Context): void {
  listBeforeWrites(collection, context).written.add(id.toLowerCase());
}

async function look(
  { operations }: Collection,
  id: string,
  { session, scope }: Context,
  find: () => Promise<Data | undefined>,
): Promise<Data | undefined> {
  const { get } = operations;
  let isUnclear = false;
  try {
    const found = await find();
    if (found) return { ...found, id };
  } catch (error) {
    if (!leavesOpen(error) || !get) throw error;
    isUnclear = true;
  }
  if (!get) return undefined;
  try {
    return await objectItself(get, id, { session, scope });
  } catch (error) {
    // Whether it is gone is for the write to find out. A server without this route may still have a list that lacks it.
    if (error instanceof MissingObject || error instanceof InvalidIdentifier) return undefined;
    if (error instanceof MissingRoute && !isUnclear) return undefined;
    throw error;
  }
}

/** The list that serves the looks before the writes of this run. */
class ListBeforeWrites {
  /** Ids of the objects that this run has written to since. */
  readonly written = new Set<string>();
  #findIn: ((id: string) => Promise<Data | undefined>) | undefined;
  #begun = 0;

  constructor(
    private readonly operation: ListOperation,
    private readonly context: Context,
  ) {}

  find(id: string): Promise<Data | undefined> {
    const isOld = Date.now() - this.#begun > servedMilliseconds;
    if (!this.#findIn || isOld || this.written.has(id.toLowerCase())) {
      this.#begun = Date.now();
      this.written.clear();
      this.#findIn = this.context.session.freshFinder(this.operation, this.context.scope);
    }
    return this.#findIn(id);
  }
}

function listBeforeWrites({ operations: { list } }: Collection, context: Context): ListBeforeWrites {
  const key = JSON.stringify(["before writes", list, context.scope]);
  return context.session.shared(key, () => new ListBeforeWrites(list, context));
}
