import { isDeepStrictEqual } from "node:util";
import { type Answer, jsonAnswer } from "./answer";
import { ApiError, badRequest, notFound } from "./apiError";
import type { Api, Served } from "./apis/api";
import { asMap, asMembers, bodyOf, type Members, partsOf, restored } from "./edits";
import { withoutSecrets } from "./journal";
import type { Collection } from "./records";
import { membersOf, type Sample, type Shape, sampleOf } from "./requestForm";
import { organizations } from "./resources/organizations";
import { resources } from "./resources/registry";
import { isServedIn, type Resource } from "./resources/resource";
import type { Call, Route } from "./routes";
import type { Store } from "./store";
import type { ServerVocabulary } from "./vocabulary";

/** A record in the form that the console shows, without secrets. */
export type Row = { readonly id: string; readonly serviceId?: string } & {
  readonly [member: string]: unknown;
};

/** A kind of objects in the sandbox, as the console shows it: by a table, and by a form with the JSON of one object. */
export interface Kind {
  readonly name: string;
  readonly group: "services" | "data" | "observability" | "organization";
  /** The path of the objects at the console, which may contain `:serviceId`. */
  readonly path: string;
  /** The members that tell objects of this kind apart, besides name and state. If absent, the console takes the first ones. */
  readonly columns?: readonly string[];
  /** How a new object is made: the method of the request, and a body to begin with. Absent if no request makes one. */
  readonly creation?: { readonly method: Route["method"]; readonly body: Sample };
  /** The commands that a request gives to an object, such as `start` and `stop`. */
  readonly commands: readonly string[];
  readonly isDeletable: boolean;
  /** Whether each service has one object of this kind at most, whose path ends without an id. */
  readonly isPart: boolean;
}

interface Known extends Kind {
  readonly resource: Resource;
  readonly routes: readonly Served[];
  /** The path of one object, with names in place of ids. */
  readonly item: string;
  readonly read?: Route;
}

/** A change of an object by its JSON form on the console: the JSON that the form showed first, and the one to save. */
export interface Edit {
  readonly from: Members;
  readonly to: Members;
}

const groups: { readonly [place in Resource["place"]]: Kind["group"] } = {
  management: "organization",
  organization: "organization",
  service: "data",
  stack: "observability",
  observability: "observability",
};

/**
 * The kinds of objects in a sandbox. They follow from the resource types and their routes: a resource type with records is a
 * kind, and so is what a service has once and a request both reads and changes, such as its upgrade window.
 */
export class Kinds {
  readonly #known: readonly Known[];

  constructor(
    private readonly store: Store,
    private readonly vocabulary: ServerVocabulary,
    private readonly api: Api,
  ) {
    this.#known = Object.entries(resources as Readonly<Record<string, Resource>>).flatMap(
      ([name, resource]) =>
        isServedIn(vocabulary, resource) && resource.operations.length > 0
          ? this.#kindsOf(name, resource)
          : [],
    );
  }

  /** Lists the kinds with their objects. An object's members that are named like secrets have no value. */
  list(now: number): readonly (Kind & { readonly rows: readonly Row[] })[] {
    return this.#known.map(({ resource, routes, item, read, ...kind }) => ({
      ...kind,
      rows: this.#rows(kind.name, now).map((row) => withoutSecrets(row) as Row),
    }));
  }

  /**
   * Changes an object as another client would, by the requests that change the members which differ. Members that no request
   * changes are written into the record.
   * @throws ApiError for an unknown object, or a change that is neither possible by a request nor in a record
   */
  edit(name: string, id: string, { from, to }: Edit, now: number): Answer {
    const kind = this.#known.find((candidate) => candidate.name === name);
    const current = kind && this.#rows(name, now).find((row) => row.id === id);
    if (!kind || !current) throw notFound("this object no longer exists");
    const changed = Object.keys({ ...from, ...to }).filter(
      (member) => !isDeepStrictEqual(from[member], to[member]),
    );
    const fixed = changed.find((member) => member === "id" || member === "serviceId");
    if (fixed) throw badRequest(`${fixed} cannot be changed`);
    const next: Members = Object.fromEntries([
      ...Object.entries(current).filter(([member]) => !changed.includes(member)),
      ...changed.flatMap((member) => (member in to ? [[member, restored(to[member], current[member])]] : [])),
    ]);
    const { result, before } = this.store.changing(() => this.#change(kind, current, next, changed, now));
    if (result) this.store.restore(before);
    return result ?? jsonAnswer(200, {});
  }

  /** Carries out the requests of an edit. It stops at the first that is refused, and returns the refusal. */
  #change(
    kind: Known,
    current: Row,
    next: Members,
    changed: readonly string[],
    now: number,
  ): Answer | undefined {
    const before = { ...current };
    const left = new Set(changed);
    const aliases = kind.resource.requested?.(this.vocabulary) ?? {};
    const inRequests = (record: Members): Members => ({
      ...record,
      ...Object.fromEntries(
        Object.entries(aliases).map(([member, [name, convert = (value: unknown) => value]]) => [
          name,
          convert(record[member]),
        ]),
      ),
    });
    const [old, wanted] = [inRequests(current), inRequests(next)];
    const nameOf = (member: string) => aliases[member]?.[0] ?? member;
    const send = ({ path, route }: Served, body?: object) => {
      const url = path.replace(/:serviceId/, current.serviceId ?? current.id).replace(/:id/, current.id);
      const headers = { "content-type": "application/json" };
      const request = { method: route.method, url, headers, ...(body && { body: JSON.stringify(body) }) };
      const { answer } = this.api.handle(request, this.api.find(request) ?? { route, params: {} }, now);
      return answer.status >= 400 ? answer : undefined;
    };
    for (const served of kind.routes) {
      const member = served.path.slice(kind.item.length + 1);
      if (!left.has(member)) continue;
      const isGone = next[member] === undefined;
      if (isGone !== (served.route.method === "DELETE")) continue;
      left.delete(member);
      const refusal = send(
        served,
        isGone ? undefined : bodyOf(served.route, asMembers(old[member]), asMembers(next[member])),
      );
      if (refusal) return refusal;
    }
    const taken = ({ route }: Served) => {
      const known = membersOf((route.body ?? {}) as Shape);
      return [...left].filter((member) => known.includes(nameOf(member)));
    };
    for (;;) {
      const [best] = kind.routes
        .filter(({ route }) => route.method !== "DELETE")
        .sort((one, other) => taken(other).length - taken(one).length);
      const members = best ? taken(best) : [];
      if (!best || members.length === 0) break;
      for (const member of members) left.delete(member);
      const body = bodyOf(best.route, old, wanted);
      const refusal = this.#dropped(kind, old, wanted, send);
      if (refusal) return refusal;
      for (const part of partsOf(best.route, body)) {
        const refusal = send(best, part);
        if (refusal) return refusal;
      }
    }
    const record = kind.isPart ? undefined : this.#rows(kind.name, now).find(({ id }) => id === current.id);
    // ClickHouse Cloud accepts some members of requests and ignores them, which would look like an edit that is lost.
    for (const member of changed)
      if (record && isDeepStrictEqual(record[member], before[member])) left.add(member);
    if (left.size === 0) return undefined;
    if (kind.isPart) throw badRequest(`no request changes ${[...left].join(", ")}`);
    if (kind.resource === organizations) this.store.organization = next as never;
    else {
      const collection = kind.resource as Collection;
      const written = { ...collectionOf(this.store, collection).get(current.id) } as Record<string, unknown>;
      for (const member of left) {
        if (member in next) written[member] = next[member];
        else delete written[member];
      }
      this.store.write(collection, written as never);
    }
    return undefined;
  }

  /** Resets the entries that an edit has removed from an object whose entries have a request of their own for this. */
  #dropped(
    { item, resource }: Known,
    old: Members,
    next: Members,
    send: (served: Served, body?: object) => Answer | undefined,
  ): Answer | undefined {
    const reset = this.api.served.find(
      (served) =>
        served.resource === resource && served.path === `${item}/:id` && served.route.method === "DELETE",
    );
    if (!reset) return undefined;
    const namesIn = (members: Members) =>
      Object.values(members).flatMap((list) => Object.keys(asMap(list) ?? {}));
    const gone = namesIn(old).filter((name) => !namesIn(next).includes(name));
    for (const name of gone) {
      const refusal = send({ ...reset, path: `${item}/${name}` });
      if (refusal) return refusal;
    }
    return undefined;
  }

  #rows(name: string, now: number): readonly Row[] {
    const kind = this.#known.find((candidate) => candidate.name === name);
    if (!kind) return [];
    const { read, resource } = kind;
    if (resource === organizations) return [this.store.organization as unknown as Row];
    if (read)
      return [...this.store.services.values()].flatMap((service): Row[] => {
        const request = { method: "GET", url: "", headers: {} };
        const call: Call = { now, id: "", params: {}, query: {}, body: undefined, service, request };
        try {
          return [{ ...(read.run(call as never) as object), id: service.id, serviceId: service.id }];
        } catch (error) {
          if (error instanceof ApiError) return [];
          throw error;
        }
      });
    const records = collectionOf(this.store, resource as Collection);
    const { onConsole = (record: never): object => record } = resource;
    return [...records.values()].map((record) => onConsole(record as never) as Row);
  }

  #kindsOf(name: string, resource: Resource): readonly Known[] {
    const own = this.api.served.filter((served) => served.resource === resource);
    const base = this.api.protocol.pathOf(resource) ?? "";
    const parts = own.flatMap(({ path, route }): Known[] => {
      const routes = own.filter((served) => served.path === path && served.route.method !== "GET");
      const write = routes.find(({ route }) => route.method !== "DELETE");
      const making = routes.find(({ route }) => route.method === "POST" || route.method === "PUT");
      const isPart =
        /^get/.test(route.operation ?? "") && !/:id$|:id\/|:serviceId$|:organizationId/.test(path);
      if (!isPart || !write || route.method !== "GET") return [];
      return [
        {
          resource,
          ...(path === base && { columns: resource.columns }),
          ...{
            name: path === base ? name : path.slice(path.lastIndexOf("/") + 1),
            group: "services",
            path,
          },
          ...{ item: path, routes, read: route, isPart: true, commands: [] },
          isDeletable: routes.length > 1,
          ...(making && { creation: creationOf(making) }),
        },
      ];
    });
    if (!resource.seed && resource !== organizations) return parts;
    if (parts.some((part) => part.path === base)) return parts;
    const item = own.find(({ path }) => /^\/:\w+$/.test(path.slice(base.length)))?.path ?? `${base}/:id`;
    const routes = own.filter(
      ({ path, route }) => route.method !== "GET" && `${path}/`.startsWith(`${item}/`),
    );
    const creating = own.find(({ path, route }) => path === base && route.method === "POST");
    const state = routes.find(({ path }) => path === `${item}/state`)?.route.body as Shape | undefined;
    return [
      {
        ...{ resource, columns: resource.columns },
        ...{
          name,
          group: name === "services" ? "services" : groups[resource.place],
          path: base,
          item,
          isPart: false,
        },
        routes:
          resource === organizations
            ? []
            : routes.filter(({ path }) => !/\/(state|password|readReplica|restoredService)$/.test(path)),
        commands: (state?.properties?.command?.enum ?? []) as readonly string[],
        isDeletable: routes.some(({ path, route }) => path === item && route.method === "DELETE"),
        ...(creating?.route.body && { creation: creationOf(creating) }),
      },
      ...parts,
    ];
  }
}

const creationOf = ({ route: { method, body } }: Served) => ({
  method,
  body: sampleOf((body ?? {}) as Shape),
});

const collectionOf = (store: Store, collection: Collection): ReadonlyMap<string, object> =>
  store.of(collection);
