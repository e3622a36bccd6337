import { randomUUID } from "node:crypto";
import { Type } from "@sinclair/typebox";
import { badRequest, notFound } from "../apiError";
import type { RouteContext } from "../routeContext";
import { keys } from "./keys";
import { type Resource, serves } from "./resource";

export type QueryEndpointRole = "sql_console_read_only" | "sql_console_admin";

/** The query endpoint of a service. */
export interface QueryEndpoint {
  id: string;
  serviceId: string;
  roles: QueryEndpointRole[];
  /** UUIDs of keys. */
  openApiKeys: string[];
  /** Comma-separated domains. */
  allowedOrigins: string;
}

const UpsertBody = Type.Object(
  {
    roles: Type.Optional(
      Type.Array(Type.Unsafe<QueryEndpointRole>({ enum: ["sql_console_read_only", "sql_console_admin"] })),
    ),
    openApiKeys: Type.Optional(Type.Array(Type.String())),
    allowedOrigins: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);

/** The query endpoint of a service: get, upsert and delete. POST replaces all of it: omitted members become empty. */
export const queryEndpoints = {
  place: "service",
  operations: ["getQueryEndpoint", "putQueryEndpoint", "deleteQueryEndpoint"],
  path: () => "serviceQueryEndpoint",

  seed: (): QueryEndpoint[] => [],
  onConsole: (endpoint: QueryEndpoint) => endpoint,

  routes({ api, store, answers, envelope }: RouteContext, path: string): void {
    const show = ({ serviceId, ...endpoint }: QueryEndpoint) => answers.show("queryEndpoint", endpoint);
    const of = (serviceId: string) => store.ofService(queryEndpoints, serviceId)[0];
    const find = (serviceId: string) => {
      const endpoint = of(serviceId);
      if (!endpoint) throw notFound("the service has no query endpoint");
      return endpoint;
    };

    api.get(path, serves("getQueryEndpoint"), async (request) =>
      envelope(request, show(find(request.service.id))),
    );

    api.post(path, { ...serves("putQueryEndpoint"), schema: { body: UpsertBody } }, async (request) => {
      const { roles = [], openApiKeys = [], allowedOrigins = "" } = request.body;
      openApiKeys.forEach((id, index) => {
        if (!store.of(keys).has(id))
          throw badRequest(`openApiKeys.${index} is not the id of a key of the organization`);
      });
      const serviceId = request.service.id;
      const id = of(serviceId)?.id ?? randomUUID();
      const endpoint = { id, serviceId, roles, openApiKeys, allowedOrigins };
      store.of(queryEndpoints).set(id, endpoint);
      return envelope(request, show(endpoint));
    });

    api.delete(path, serves("deleteQueryEndpoint"), async (request) => {
      store.of(queryEndpoints).delete(find(request.service.id).id);
      return envelope(request);
    });
  },
} as const satisfies Resource;
