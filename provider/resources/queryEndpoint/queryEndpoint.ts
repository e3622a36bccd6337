import { resourceOf } from "../../lifecycle/lifecycle";
import { inService } from "../../lifecycle/scope";
import { splitByComma } from "../../values/compare";
import { pick } from "../../values/data";
import { oneOf } from "../../values/schema";
import { type Static, Type } from "../../values/schemaBuilders";

/** Entries between commas, with or without spaces around them. */
const originList = "^\\s*([^\\s,]+\\s*(,\\s*[^\\s,]+\\s*)*)?$";

const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const origin = {
  pattern: "^[^\\s,]+$",
  rule: "a domain without spaces or commas, such as https://app.example.com",
};

/**
 * Inputs of the query endpoint.
 * @see "Service query endpoint body" in the API document
 */
export const queryEndpointInputs = inService({
  /** Roles under which the endpoint runs queries; may be empty. */
  roles: Type.Array(oneOf(["sql_console_read_only", "sql_console_admin"]), {
    uniqueItems: true,
    comparison: "set",
  }),
  /** Keys that may use the endpoint: the `id` of each {@link ApiKey} (not its `keyId`). May be empty. */
  openApiKeys: Type.Array(Type.String({ minLength: 1 }), {
    uniqueItems: true,
    comparison: "set",
  }),
  /** Origins from which browsers may call the endpoint, as a list or a comma-separated string. Default: none. */
  allowedOrigins: Type.Optional(
    Type.Union([Type.String({ pattern: originList }), Type.Array(Type.String(origin))], {
      comparison: "commaSeparatedSet",
      rule: "a list of domains without spaces or commas, or a string of them separated by commas",
    }),
  ),
});

export const queryEndpointOutputs = Type.Object({
  /** Id that the service gave to the configuration. */
  endpointId: Type.Optional(Type.String()),
});

type Inputs = Static<typeof queryEndpointInputs>;

/** The steps of a query endpoint's life. */
export const queryEndpointResource = resourceOf<Inputs>({
  type: "QueryEndpoint",
  noun: "query endpoint",
  inputs: queryEndpointInputs,
  outputs: queryEndpointOutputs,
  scope: "service",
  operations: {
    create: "putQueryEndpoint",
    get: "getQueryEndpoint",
    update: "putQueryEndpoint",
    delete: "deleteQueryEndpoint",
  },

  warnings: ({ openApiKeys }) =>
    Array.isArray(openApiKeys) && openApiKeys.some((key) => typeof key === "string" && !isUuid.test(key))
      ? ["QueryEndpoint: openApiKeys are the ids of keys (key.id), each a uuid; a keyId is not one"]
      : [],

  // Every write replaces the whole record, so a list of origins that is neither declared nor carried over is sent empty.
  encode: (body) => ({
    ...body,
    allowedOrigins: splitByComma(body.allowedOrigins ?? "").join(","),
  }),

  // A service may leave out the roles of an endpoint without any.
  decode: ({ id, ...members }) => ({
    inputs: pick({ roles: [], ...members }, ["roles", "openApiKeys", "allowedOrigins"]),
    outputs: id === undefined ? {} : { endpointId: id },
  }),

  declaration(live) {
    const { allowedOrigins } = live;
    return typeof allowedOrigins === "string"
      ? { ...live, allowedOrigins: splitByComma(allowedOrigins) }
      : live;
  },
});
