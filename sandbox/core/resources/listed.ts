import type { TSchema } from "@sinclair/typebox";
import { badRequest, type ErrorShape, notFound } from "../apiError";
import { isObjectId, isUuid } from "../identifiers";
import type { Collection } from "../records";
import { type Call, type Route, type RouteContext, route } from "../routes";

interface Identified {
  id: string;
  serviceId?: string;
}

/** The peculiarities of a kind of record, of which a service or the organization has many. */
export interface RecordKind<Item extends Identified> {
  /** With the operations that are served in the usual way: some servers have no `get`. */
  readonly collection: Collection<Item> & { readonly operations: readonly string[] };
  /** The word for one in messages. */
  readonly noun: string;
  /** The bodies where no document of the product has them. */
  readonly bodies?: { readonly create: TSchema; readonly update: TSchema };
  /** Whether an update names only changed members. Default: it replaces the whole, or `membersOf` keeps the others. */
  readonly isPatched?: boolean;
  readonly hasUuids?: boolean;
  readonly entriesOfPage?: Route["entriesOfPage"];
  readonly showsMore?: Route["showsMore"];
  /** How the observability API says that one is missing. Default: in `message`. */
  readonly missing?: ErrorShape;
  /** Whether an id that none ever had is called invalid (400), and only one that was deleted is said to be missing (404). */
  readonly tellsUnknown?: boolean;
  /** Whether the deletion of a missing one succeeds. */
  readonly ignoresMissing?: boolean;
  /** The members of a record with this body; `current` is the one that it changes. @throws ApiError for one that must not be */
  membersOf(call: Call<never>, current?: Item): Omit<Item, "id" | "serviceId">;
  /** A record as answers show it. Default: all but `serviceId`. */
  show?(record: Item): object;
  /** A record as the list shows it. Default: as other answers do. */
  showInList?(record: Item): object;
  /** @throws ApiError if a record must not be deleted */
  deleting?(record: Item, call: Call): void;
}

/** The routes of records that can be listed, created, shown, changed and deleted. */
export function listedRoutes<Item extends Identified>(
  { store, ids }: RouteContext,
  { collection, noun, missing, ...kind }: RecordKind<Item>,
): Route[] {
  const show = kind.show ?? (({ serviceId, ...members }: Item) => members);
  const showInList = kind.showInList ?? show;
  const records = () => store.of(collection);
  // One of the organization belongs to no service.
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
        store.remove(collection, record.id);
        if (kind.tellsUnknown)
          store.organization.deletedIds = [...(store.organization.deletedIds ?? []), record.id];
        return undefined;
      },
    },
  ];
  const { showsMore } = kind;
  return routes.flatMap((served) => (served.operation === undefined ? [] : [{ ...served, showsMore }]));
}

/** The names of the usual operations. */
export const usualOperations = <Noun extends string, Nouns extends string>(noun: Noun, nouns: Nouns) =>
  [`list${nouns}`, `create${noun}`, `get${noun}`, `update${noun}`, `delete${noun}`] as const;

/** When a record was made and last changed. */
export function datesOf(
  now: number,
  current?: { createdAt: string },
): { createdAt: string; updatedAt: string } {
  const moment = new Date(now).toISOString();
  return { createdAt: current?.createdAt ?? moment, updatedAt: moment };
}
