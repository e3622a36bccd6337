import { MissingObject } from "../api/errors";
import { splitByComma } from "../lifecycle/compare";
import { type Data, pick } from "../lifecycle/data";
import { type LiveState, type Resource, sentPart } from "../lifecycle/lifecycle";
import { oneOf } from "../lifecycle/schema";
import { inService, type Scope, scopeOf } from "../lifecycle/scope";
import { undocumentedOperation } from "../lifecycle/session";
import { type Static, Type } from "../typebox";

/** Entries between commas, with or without spaces around them. */
const originList = "^\\s*([^\\s,]+\\s*(,\\s*[^\\s,]+\\s*)*)?$";

const origin = {
  pattern: "^[^\\s,]+$",
  rule: "a domain without spaces or commas, such as https://app.example.com",
};

/** Inputs of the query endpoint (API document: "Service query endpoint body"). */
export const queryEndpointInputs = inService({
  /** Roles that queries through the endpoint have; at least one, each once. */
  roles: Type.Array(oneOf(["sql_console_read_only", "sql_console_admin"]), {
    minItems: 1,
    uniqueItems: true,
    comparison: "set",
  }),
  /** Keys that may use the endpoint: the `id` of each {@link ApiKey} (not its `keyId`). */
  openApiKeys: Type.Array(Type.String({ minLength: 1 }), {
    minItems: 1,
    uniqueItems: true,
    comparison: "set",
  }),
  /** Domains that browsers may call the endpoint from, as a list or separated by commas. Without them: none. */
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

/** What the provider does with the query endpoint at each step of its life. */
export const queryEndpointResource: Resource<Inputs> = {
  type: "QueryEndpoint",
  inputs: queryEndpointInputs,
  outputs: queryEndpointOutputs,
  placement: ["organizationId", "serviceId"],
  isSingleton: true,

  async create(declared, session) {
    const place = scopeOf(declared, session);
    return {
      id: place.serviceId,
      observation: observe(await session.call("putQueryEndpoint", place, bodyOf(declared))),
    };
  },

  async read(_id, declared, session) {
    if (!session.allows("getQueryEndpoint")) return "unseen";
    try {
      return observe(await session.call("getQueryEndpoint", scopeOf(declared, session)));
    } catch (error) {
      if (error instanceof MissingObject) return "gone";
      throw error;
    }
  },

  async update(_id, declared, _state, session) {
    return observe(await session.call("putQueryEndpoint", scopeOf(declared, session), bodyOf(declared)));
  },

  async delete(_id, state, session) {
    const place = scopeOf(state as Scope, session);
    if (!session.allows("deleteQueryEndpoint")) {
      session.warnOnce(
        `QueryEndpoint: the query endpoint of service ${place.serviceId} is left as it is: deleting it takes ${undocumentedOperation}`,
      );
      return;
    }
    try {
      await session.call("deleteQueryEndpoint", place);
    } catch (error) {
      if (!(error instanceof MissingObject)) throw error;
    }
  },
};

/** Every write replaces the whole record, so an origin list that is not declared is sent as an empty one. */
function bodyOf(declared: Inputs): Data {
  return {
    ...sentPart(queryEndpointResource, declared),
    allowedOrigins: splitByComma(declared.allowedOrigins ?? "").join(","),
  };
}

function observe(answer: Data): LiveState {
  return {
    inputs: pick(answer, ["roles", "openApiKeys", "allowedOrigins"]),
    outputs: answer.id === undefined ? {} : { endpointId: answer.id },
  };
}
