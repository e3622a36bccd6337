import type { TSchema } from "@sinclair/typebox";
import { badRequest, type ErrorShape, notFound } from "../apiError";
import { isObjectId, isUuid } from "../identifiers";
import type { Collection } from "../records";
import { type Call, type Route, type RouteContext, route } from "../routes";

interface Identified {
  id: string;
  serviceId?: string;
}

/** How a resource type of the sandbox differs from the usual list, create, get, update and delete. */
export interface RecordKind<Item extends Identified> {
  /**
   * The collection of the resource type's records, and the names of the operations that the sandbox serves on it. Some servers
   * have no operation that reads a single record.
   */
  readonly collection: Collection<Item> & { readonly operations: readonly string[] };
  readonly noun: string;
  readonly bodies?: { readonly create: TSchema; readonly update: TSchema };
  /**
   * Whether the body of an update has only changed properties. If false, the body replaces the record, except for properties
   * that the server keeps when the body omits them.
   */
  readonly isPatched?: boolean;
  readonly hasUuids?: boolean;
  readonly entriesOfPage?: Route["entriesOfPage"];
  readonly showsMore?: Route["showsMore"];
  /** The format in which the observability API reports that a record is missing. The default is JSON with `message`. */
  readonly missing?: ErrorShape;
  /**
   * Whether a request with an id that never existed gets status 400 (invalid id), and only one with the id of a deleted record
   * gets 404.
   */
  readonly tellsUnknown?: boolean;
  /** Whether the deletion of a missing record reports success. */
  readonly ignoresMissing?: boolean;
  /**
   * Returns the properties of the record that a request creates or updates. `current` is the record before an update.
   * @throws ApiError for an invalid record
   */
  membersOf(call: Call<never>, current?: Item): Omit<Item, "id" | "serviceId">;
  /** Converts a record of the sandbox to the form of responses. If absent, only `serviceId` is left out. */
  show?(record: Item): object;
  /** Converts a record of the sandbox to its form in lists. If absent, lists have the same form as other responses. */
  showInList?(record: Item): object;
  /**
   * Called before a record is deleted.
   * @throws ApiError if the server refuses the deletion
   */
  deleting?(record: Item, call: Call): void;
  /**
   * Makes the version of a record that reads show while its deletion lasts. Without this function, the record is gone once the
   * deletion is answered.
   */
  ending?(record: Item, call: Call): Item;
}

export function listedRoutes<Item extends Identified>(
  { store, ids }: RouteContext,
  { collection, noun, missing, ...kind }: RecordKind<Item>,
): Route[] {
  const show = kind.show ?? (({ serviceId, ...members }: Item) => members);
  const showInList = kind.showInList ?? show;
  const records = () => store.of(collection);
  // A record without `serviceId`, such as an API key, belongs to the organization, and every request may see it.
  const isHere = ({ serviceId }: Identified, { service }: Call) =>
    serviceId === undefined || serviceId === service.id;
  const visible = (call: Call): Item | undefined => {
    const isId = kind.hasUuids ? isUuid : isObjectId;
    if (!isId(call.id)) throw badRequest(`Invalid ${noun.toLowerCase()} id`);
    const record = records().get(call.id);
    return record && isHere(record, call) ? record : undefined;
  };
  const existing = (call: Call): Item => {
    const record = visible(call);
    const { deletedIds = [] } = store.organization;
    if (!record && kind.tellsUnknown && !deletedIds.includes(call.id))
      throw badRequest(`Invalid ${noun.toLowerCase()} id string`);
    if (!record) throw notFound(missing ? "Not Found" : `${noun} not found`, missing);
    return record;
  };
  const operation = (step: string) => collection.operations.find((name) => name.startsWith(step));
  const objectPath = "/:id";
  const routes: Route[] = [
    {
      operation: operation("list"),
      method: "GET",
      path: "",
      entriesOfPage: kind.entriesOfPage,
      run: (call) => [...records().values()].filter((record) => isHere(record, call)).map(showInList),
    },
    route({
      operation: operation("create"),
      method: "POST",
      path: "",
      body: kind.bodies?.create,
      run(call) {
        const members = kind.membersOf(call as never);
        const id = kind.hasUuids ? ids.uuid() : ids.object(call.now);
        const { service } = call as Partial<Call>;
        const record = { id, ...(service && { serviceId: service.id }), ...members } as Item;
        store.write(collection, record);
        return show(record);
      },
    }),
    { operation: operation("get"), method: "GET", path: objectPath, run: (call) => show(existing(call)) },
    route({
      operation: operation("update"),
      method: kind.isPatched ? "PATCH" : "PUT",
      path: objectPath,
      body: kind.bodies?.update,
      run(call) {
        const current = existing(call);
        const { id, serviceId } = current;
        const members = kind.membersOf(call as never, current);
        const record = { id, ...(serviceId !== undefined && { serviceId }), ...members } as Item;
        store.write(collection, record);
        return show(record);
      },
    }),
    {
      operation: operation("delete"),
      method: "DELETE",
      path: objectPath,
      run(call) {
        const record = kind.ignoresMissing ? visible(call) : existing(call);
        if (!record) return undefined;
        kind.deleting?.(record, call);
        if (kind.ending) store.write(collection, kind.ending(record, call));
        else store.remove(collection, record.id);
        if (kind.tellsUnknown)
          store.organization.deletedIds = [...(store.organization.deletedIds ?? []), record.id];
        return undefined;
      },
    },
  ];
  const { showsMore } = kind;
  return routes.flatMap((served) => (served.operation === undefined ? [] : [{ ...served, showsMore }]));
}

export const usualOperations = <Noun extends string, Nouns extends string>(noun: Noun, nouns: Nouns) =>
  [`list${nouns}`, `create${noun}`, `get${noun}`, `update${noun}`, `delete${noun}`] as const;

/** Returns the creation date and the date of the last change for a record that the sandbox writes now. */
export function datesOf(
  now: number,
  current?: { createdAt: string },
): { createdAt: string; updatedAt: string } {
  const moment = new Date(now).toISOString();
  return { createdAt: current?.createdAt ?? moment, updatedAt: moment };
}
