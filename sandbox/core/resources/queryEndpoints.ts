import { type Static, Type } from "@sinclair/typebox";
import { ApiError, badRequest, notFound } from "../apiError";
import { type Call, type Route, type RouteContext, route } from "../routes";
import { closed, words } from "./jsonSchema";
import { keys } from "./keys";
import type { Resource } from "./resource";
import { stateOf } from "./serviceStates";
import { services } from "./services";

const role = words("sql_console_read_only", "sql_console_admin");

export type QueryEndpointRole = Static<typeof role>;

export interface QueryEndpoint {
  id: string;
  serviceId: string;
  roles: QueryEndpointRole[];
  /** UUIDs of keys. */
  openApiKeys: string[];
  /** The allowed origins of a service's query endpoint: comma-separated domains. */
  allowedOrigins: string;
}

const Body = closed(
  {},
  { roles: Type.Array(role), openApiKeys: Type.Array(Type.String()), allowedOrigins: Type.String() },
);

/** The query endpoint of a service in the sandbox. POST replaces the whole record: omitted properties become empty. */
export const queryEndpoints = {
  place: "service",
  operations: ["getQueryEndpoint", "putQueryEndpoint", "deleteQueryEndpoint"],
  path: () => "serviceQueryEndpoint",

  seed: (): QueryEndpoint[] => [],
  columns: ["roles", "openApiKeys", "allowedOrigins"],

  routes(context: RouteContext): Route[] {
    const { store, answers, ids } = context;
    const show = ({ serviceId, ...endpoint }: QueryEndpoint) => answers.show("queryEndpoint", endpoint);
    const of = (serviceId: string) => store.ofService(queryEndpoints, serviceId)[0];
    const find = ({ service }: Call<never>) => {
      const endpoint = of(service.id);
      if (!endpoint) throw notFound("the service has no query endpoint");
      return endpoint;
    };
    return [
      { operation: "getQueryEndpoint", method: "GET", path: "", run: (call) => show(find(call)) },
      route({
        operation: "putQueryEndpoint",
        method: "POST",
        path: "",
        body: Body,
        run({ body: { roles = [], openApiKeys = [], allowedOrigins = "" }, service }) {
          const owner = store.of(services).get(service.id);
          if (owner && stateOf(owner) === "provisioning") throw new ApiError(500, "Internal error");
          openApiKeys.forEach((id, index) => {
            if (!store.of(keys).has(id))
              throw badRequest(`openApiKeys.${index} is not the id of a key of the organization`);
          });
          const id = of(service.id)?.id ?? ids.uuid();
          const endpoint = { id, serviceId: service.id, roles, openApiKeys, allowedOrigins };
          store.write(queryEndpoints, endpoint);
          return show(endpoint);
        },
      }),
      {
        operation: "deleteQueryEndpoint",
        method: "DELETE",
        path: "",
        run(call) {
          store.remove(queryEndpoints, find(call).id);
        },
      },
    ];
  },
} as const satisfies Resource;
