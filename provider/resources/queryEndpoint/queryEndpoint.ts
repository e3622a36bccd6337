import { enums } from "../../api/enums.golden";
import { decode } from "../../lifecycle/decode";
import { resourceOf } from "../../lifecycle/lifecycle";
import { look } from "../../lifecycle/look";
import type { Resource } from "../../lifecycle/resource";
import { deleteSingleton, putBack } from "../../lifecycle/restore";
import { contextOf, inService } from "../../lifecycle/scope";
import { formerlyDeclaredIn, type State, seenOrGone, trackingOf } from "../../lifecycle/state";
import { updateOf } from "../../lifecycle/write";
import { splitByComma } from "../../values/compare";
import { type PropertyMap, pick } from "../../values/data";
import { entriesAmong, entriesBeside } from "../../values/entries";
import { oneOf } from "../../values/schema";
import { Type } from "../../values/schemaBuilders";
import { withOwnEntries } from "../access/ownedLists";

/** Matches origins that are separated by commas, with or without spaces around them. */
const originList = "^\\s*([^\\s,]+\\s*(,\\s*[^\\s,]+\\s*)*)?$";

const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const origin = {
  pattern: "^[^\\s,]+$",
  rule: "a domain without spaces or commas, such as https://app.example.com",
};

/**
 * Inputs of the query endpoint of a service.
 * @see "Service query endpoint body" in the API document
 */
export const queryEndpointInputs = inService({
  /** Database roles under which the query endpoint runs queries; may be empty. */
  roles: Type.Array(oneOf(enums.queryEndpointRole), {
    uniqueItems: true,
    comparison: "set",
  }),
  /** API keys that may use the query endpoint: the `id` of each {@link ApiKey} (not its `keyId`). May be empty. */
  openApiKeys: Type.Array(Type.String({ minLength: 1, comparison: "id", of: "ApiKey" }), {
    uniqueItems: true,
    comparison: "set",
  }),
  /**
   * Whether the query endpoint keeps API keys that other people have added to it. Then only the program's keys are compared,
   * added and removed, and destroying the resource removes them from the endpoint. Default: false, which removes all other
   * keys.
   */
  keepOtherKeys: Type.Optional(Type.Boolean({ sent: "never" })),
  /** Origins from which browsers may call the query endpoint, as a list or a comma-separated string. Default: none. */
  allowedOrigins: Type.Optional(
    Type.Union([Type.String({ pattern: originList }), Type.Array(Type.String(origin))], {
      comparison: "commaSeparatedSet",
      rule: "a list of domains without spaces or commas, or a string of them separated by commas",
    }),
  ),
  /**
   * What destroying the resource does if the query endpoint existed before the resource: `keep` (default) leaves it as it is,
   * `restore` puts back its former values. An endpoint that the resource created is deleted, unless `keep` is declared.
   */
  onDestroy: Type.Optional(oneOf(["keep", "restore"], { sent: "never" })),
});

export const queryEndpointOutputs = Type.Object({
  /** Id that the service gave to the query endpoint. */
  endpointId: Type.Optional(Type.String()),
  /** With `keepOtherKeys`, ids of the API keys that other people have added to the query endpoint. */
  otherKeys: Type.Optional(Type.Array(Type.String(), { volatile: true })),
});

const { openApiKeys: keyList } = queryEndpointInputs.properties;

export const queryEndpointResource: Resource = resourceOf({
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

  uses: { ApiKey: "The endpoint no longer lets this key in" },

  warnings: ({ openApiKeys }) =>
    Array.isArray(openApiKeys) && openApiKeys.some((key) => typeof key === "string" && !isUuid.test(key))
      ? ["QueryEndpoint: openApiKeys are the ids of keys (key.id), each a uuid; a keyId is not one"]
      : [],

  // Each write replaces the whole query endpoint, so a missing list of origins is sent as an empty one.
  steps: ({ declared, desired, live, state }) => [
    updateOf(queryEndpointResource, {
      ...desired,
      ...(declared.keepOtherKeys === true && {
        openApiKeys: [...new Set([...keysIn(desired), ...otherKeys(live, state)])],
      }),
      allowedOrigins: splitByComma(desired.allowedOrigins ?? "").join(","),
    }),
  ],

  // An answer may omit the roles of a query endpoint that has none, so the inputs get an empty list. One without keys does not
  // say which there are, so the declared ones stand.
  formOf({ id, ...members }, declared, reference, former = {}) {
    const known = { roles: [], ...pick(declared, ["openApiKeys"]), ...members };
    const inputs = pick(known, ["roles", "openApiKeys", "allowedOrigins"]);
    const ownKeys = [...keysIn(declared), ...keysIn(former)];
    const present = keysIn(inputs);
    const { keepOtherKeys } = declared;
    const others = keepOtherKeys ? entriesBeside(keyList, present, ownKeys) : [];
    return {
      ...inputs,
      ...(keepOtherKeys === true && { openApiKeys: entriesAmong(keyList, present, ownKeys) }),
      ...(id !== undefined && { endpointId: id }),
      ...((keepOtherKeys !== undefined || "otherKeys" in reference) && { otherKeys: others }),
    };
  },

  declaration(live) {
    const { allowedOrigins } = live;
    return typeof allowedOrigins === "string"
      ? { ...live, allowedOrigins: splitByComma(allowedOrigins) }
      : live;
  },

  around: {
    update(usual, id, state, inputs, session) {
      const isGivenUp = state.keepOtherKeys !== true && inputs.keepOtherKeys === true;
      const known = isGivenUp
        ? withOwnEntries(queryEndpointResource, "openApiKeys", id, state, inputs, session)
        : state;
      return usual(id, known, inputs, session);
    },

    async delete(_usual, id, state, session) {
      if (state.keepOtherKeys !== true) return deleteSingleton(queryEndpointResource, id, state, session);
      const context = contextOf(queryEndpointResource, state, session);
      const observed = seenOrGone(
        await look(queryEndpointResource, { moment: "beforeWrite", id, state, context }),
      );
      if (observed === "gone") return;
      const { inputs: live } = decode(queryEndpointResource, observed);
      const { previous = {} } = trackingOf(state);
      const wasThere = Object.keys(previous).length > 0;
      if (otherKeys(live, state).length === 0 && !wasThere)
        return deleteSingleton(queryEndpointResource, id, state, session);
      const former = state.onDestroy === "restore" && wasThere ? previous : live;
      // If `onDestroy` restores the former query endpoint, it keeps those of the program's API keys that it had before the
      // resource was created.
      const kept = former === previous ? keysIn(previous).filter((key) => keysIn(state).includes(key)) : [];
      await putBack(
        queryEndpointResource,
        id,
        { ...former, openApiKeys: kept, keepOtherKeys: true },
        state,
        session,
      );
      session.warnOnce(
        `QueryEndpoint: the query endpoint of service ${id} is not deleted, since it was there before, or others have added API keys to it`,
      );
    },
  },
});

function keysIn({ openApiKeys }: { readonly openApiKeys?: unknown }): readonly unknown[] {
  return Array.isArray(openApiKeys) ? openApiKeys : [];
}

/**
 * The API keys of a query endpoint that do not belong to the program. A key whose removal is owed does.
 * @throws Error if the service shows the query endpoint without its keys, so that a write could take away somebody else's
 */
function otherKeys(live: PropertyMap, state: State): readonly unknown[] {
  if (Object.keys(live).length > 0 && live.openApiKeys === undefined)
    throw new Error(
      "QueryEndpoint: the service does not show which keys the query endpoint has, and keepOtherKeys would lose those of others: nothing was written; try again later, or drop keepOtherKeys to set the declared keys alone",
    );
  return entriesBeside(keyList, keysIn(live), keysIn(formerlyDeclaredIn(queryEndpointResource, state)));
}
