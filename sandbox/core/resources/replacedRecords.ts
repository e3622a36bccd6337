import type { TSchema } from "@sinclair/typebox";
import type { FastifyContextConfig } from "fastify";
import { badRequest, type ErrorShape, notFound } from "../apiError";
import { isObjectId, newObjectId } from "../identifiers";
import type { Collection, Records } from "../records";
import { idParameters, type RouteContext } from "../routeContext";

type Served = { readonly config: FastifyContextConfig };

interface Replaced {
  id: string;
  serviceId: string;
}

/** What the records of one kind have of their own. */
export interface ReplacedRecords<Item extends Replaced> {
  readonly collection: Collection<Item>;
  /** What a message calls one. */
  readonly noun: string;
  /** What {@link serves} says of the operations; without `get`, the server has none. */
  readonly operations: { readonly [step in "list" | "create" | "update" | "delete"]: Served } & {
    readonly get?: Served;
  };
  readonly body: TSchema;
  /** Whether some servers answer a page of the list. */
  readonly isPaged: boolean;
  /** How the observability API says that one is missing. Default: in `message`. */
  readonly missing?: ErrorShape;
  /**
   * The members of a record with this body; `known` is the one that it replaces.
   *
   * @throws ApiError for a body that must not be
   */
  membersOf(body: never, serviceId: string, records: Records, known?: Item): Omit<Item, keyof Replaced>;
  /** A record as answers show it. Default: all but `serviceId`. */
  show?(record: Item): object;
}

/** The routes of records that an update replaces as a whole: list, create, get, replace and delete. */
export function replacedRoutes<Item extends Replaced>(
  { api, store, list, envelope }: RouteContext,
  path: string,
  { collection, noun, operations, body, isPaged, missing, ...own }: ReplacedRecords<Item>,
): void {
  const show = own.show ?? (({ serviceId, ...members }: Item) => members);
  const one = { schema: { params: idParameters } };
  const find = (id: string, serviceId: string): Item => {
    if (!isObjectId(id)) throw badRequest(`Invalid ${noun.toLowerCase()} id`);
    const record = store.of(collection).get(id);
    if (record?.serviceId !== serviceId) throw notFound(missing ? "Not Found" : `${noun} not found`, missing);
    return record;
  };
  const membersOf = (sent: unknown, serviceId: string, known?: Item) =>
    own.membersOf(sent as never, serviceId, store, known);

  api.get(path, { ...operations.list }, async (request, reply) => {
    const records = store.ofService(collection, request.service.id);
    return isPaged ? list(request, reply, records, show) : envelope(request, records.map(show));
  });

  api.post(path, { ...operations.create, schema: { body } }, async (request) => {
    const serviceId = request.service.id;
    const record = { id: newObjectId(), serviceId, ...membersOf(request.body, serviceId) } as Item;
    store.of(collection).set(record.id, record);
    return envelope(request, show(record));
  });

  if (operations.get)
    api.get(`${path}/:id`, { ...one, ...operations.get }, async (request) =>
      envelope(request, show(find(request.params.id, request.service.id))),
    );

  api.put(`${path}/:id`, { ...operations.update, schema: { ...one.schema, body } }, async (request) => {
    const { id, serviceId } = find(request.params.id, request.service.id);
    const known = store.of(collection).get(id);
    const record = { id, serviceId, ...membersOf(request.body, serviceId, known) } as Item;
    store.of(collection).set(id, record);
    store.changed(collection, id);
    return envelope(request, show(record));
  });

  api.delete(`${path}/:id`, { ...one, ...operations.delete }, async (request) => {
    const record = find(request.params.id, request.service.id);
    store.deleting(collection, record.id);
    store.of(collection).delete(record.id);
    store.changed(collection, record.id);
    return envelope(request);
  });
}

/** When a record was made and last changed. */
export function datesOf(known?: { createdAt: string }): { createdAt: string; updatedAt: string } {
  const now = new Date().toISOString();
  return { createdAt: known?.createdAt ?? now, updatedAt: now };
}
