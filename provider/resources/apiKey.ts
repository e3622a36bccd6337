import { isIP } from "node:net";
import { shows } from "../lifecycle/compare";
import { createExactlyOnce } from "../lifecycle/creation";
import { type Data, pick } from "../lifecycle/data";
import { declaredIn, type LiveState, type Resource, sentPart } from "../lifecycle/lifecycle";
import { aboutObject, type Collection, lookUp, remove } from "../lifecycle/objects";
import { oneOf } from "../lifecycle/schema";
import { inOrganization, type Scope } from "../lifecycle/scope";
import { type Session, undocumentedOperation } from "../lifecycle/session";
import type { Problem } from "../lifecycle/validate";
import { type Static, Type } from "../typebox";

/** A date and time of ISO 8601. The format by itself lets a blank stand in for the T. */
const instant = { format: "date-time", pattern: "^[-\\d]+T" };

const addressOrRange = "an IP address or a CIDR range, such as 203.0.113.0/24";

const hash = { minLength: 1, secret: true };

/** Inputs of an API key (API document: "Create key body", "Limits"). */
export const apiKeyInputs = inOrganization({
  /** Takes over the existing key with this id instead of creating one. Its secret cannot be known. Has no effect once the key is in state; a change that replaces the key is refused while it is declared. */
  adoptId: Type.Optional(Type.String({ minLength: 1, local: true, replaces: true })),
  /** Name of the key. Default: the name of the resource. */
  name: Type.Optional(Type.String({ minLength: 1 })),
  /** What the key may do: at least one of admin, developer and query_endpoints, each once. */
  roles: Type.Array(oneOf(["admin", "developer", "query_endpoints"]), {
    minItems: 1,
    uniqueItems: true,
    comparison: "set",
  }),
  /** Whether requests may be signed with the key: `enabled` (the service's default) or `disabled`. */
  state: Type.Optional(oneOf(["enabled", "disabled"])),
  /** When the key expires, as a date and time of ISO 8601 with its zone. Without it, null or "": never. */
  expireAt: Type.Optional(
    Type.Union([Type.String(instant), Type.Literal(""), Type.Null()], {
      comparison: "instant",
      rule: "a date and time with a zone, such as 2027-01-31T00:00:00Z, or null for never",
    }),
  ),
  /** Addresses that the key may be used from. Without it: all. */
  ipAccessList: Type.Optional(
    Type.Array(
      Type.Object(
        {
          /** An address or a CIDR range. */
          source: Type.String({ minLength: 1, rule: addressOrRange }),
          /** What the address is. */
          description: Type.Optional(Type.String()),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, comparison: "set" },
    ),
  ),
  /** Hashes of an id and a secret made elsewhere: the service then returns no secret. A change replaces the key. */
  hashData: Type.Optional(
    Type.Object(
      {
        /** Hash of the key id. */
        keyIdHash: Type.String(hash),
        /** Last characters of the key id. */
        keyIdSuffix: Type.String(hash),
        /** Hash of the secret. */
        keySecretHash: Type.String(hash),
      },
      { additionalProperties: false, replaces: true, secret: true },
    ),
  ),
  /** Any values: a change of one replaces the key, that is, rotates it. The new key is there before the old one goes. */
  keepers: Type.Optional(Type.Record(Type.String(), Type.String(), { local: true, replaces: true })),
});

/** What the service says of a key beyond its inputs (API document: "API key (result of key creation)"). */
export const apiKeyOutputs = Type.Object({
  /** User name with which requests are signed. Not known of a key that was adopted or made from `hashData`. */
  keyId: Type.Optional(Type.String()),
  /** Secret of the key: shown by the service once, at creation, and kept encrypted in state. */
  keySecret: Type.Optional(Type.String()),
  /** Last characters of the key id. */
  keySuffix: Type.Optional(Type.String()),
  /** When the key was created (ISO 8601). */
  createdAt: Type.Optional(Type.String()),
  /** When the key was last used (ISO 8601); it changes by itself and never counts as drift. */
  usedAt: Type.Optional(Type.String()),
});

type Inputs = Static<typeof apiKeyInputs>;

const keys: Collection = {
  noun: "API key",
  create: "createKey",
  list: "listKeys",
  get: "getKey",
  remove: "deleteKey",
};

/** What the provider does with an API key at each step of its life. */
export const apiKeyResource: Resource<Inputs> = {
  type: "ApiKey",
  inputs: apiKeyInputs,
  outputs: apiKeyOutputs,
  secrets: ["keySecret", "hashData"],
  placement: ["organizationId"],

  problems(declared, before) {
    const past = before === undefined && !declared.adoptId && isPast(declared.expireAt);
    return [...(past ? [pastExpiry] : []), ...addressProblems(declared.ipAccessList)];
  },

  // Without the conventional PATCH a key can only be changed by making another one.
  replaces: (_change, _id, _declared, session) => !session.allows("updateKey"),

  async create(declared, session) {
    const place = scopeOf(declared, session);
    if (declared.adoptId)
      return { id: declared.adoptId, observation: await adopt(declared.adoptId, declared, session) };
    // The check lets a past date through for a key that exists, and so for one that is about to be replaced.
    if (isPast(declared.expireAt)) throw new Error(`${pastExpiry.path} ${pastExpiry.message}`);
    const { hashData } = declared;
    const shownLater = bodyOf(declared);
    const { id, object, answer } = await createExactlyOnce(session, {
      collection: keys,
      parameters: place,
      body: { ...shownLater, ...(hashData ? { hashData } : {}) },
      description: `an API key named ${JSON.stringify(declared.name)}`,
      isSame: (found) => isLike(found, shownLater),
      objectIn: ({ key }) => key as Data,
      // A secret that was made elsewhere is not lost with the answer.
      ...(hashData ? {} : { shownOnce: "keySecret" }),
    });
    const { inputs: shown, outputs: further } = observe(object);
    return {
      id,
      observation: { inputs: shown, outputs: { ...further, ...pick(answer, ["keyId", "keySecret"]) } },
    };
  },

  async read(id, declared, session) {
    const found = await lookUp(session, keys, scopeOf(declared, session), id);
    return typeof found === "string" ? found : observe(found);
  },

  async update(id, declared, state, session) {
    const before = declaredIn(apiKeyResource, state);
    const dropped = (name: string) => name in before && !(name in declared);
    if (dropped("ipAccessList")) {
      session.warnOnce(
        `API key ${id} keeps the ipAccessList that it has: the API has no value that takes it away; declare [{ source: "0.0.0.0/0" }] to allow all addresses`,
      );
    }
    const reset = {
      ...(dropped("expireAt") ? { expireAt: null } : {}),
      ...(dropped("state") ? { state: "enabled" } : {}),
    };
    const answer = await session.call(
      "updateKey",
      { ...scopeOf(declared, session), id },
      { ...bodyOf(declared), ...reset },
    );
    return observe(aboutObject(session, "updateKey", answer, id));
  },

  async delete(id, state, session) {
    const { keyId } = session.settings;
    if (state.keyId === undefined ? isSigningKey(state, keyId) : state.keyId === keyId) {
      const signs = state.keyId === undefined ? "ends as the key does that signs" : "signs";
      throw new Error(
        `API key ${id} ${signs} the requests of this provider and is not deleted; set other credentials in keyId and keySecret first`,
      );
    }
    await remove(session, keys, scopeOf(state as Scope, session), id);
  },
};

/** Whether a key may be what a request created: not one that has been used, or that has what was not asked for. */
function isLike(found: Data, sent: Data): boolean {
  const allowed = found.ipAccessList;
  const isOpen =
    !Array.isArray(allowed) || allowed.every(({ source }) => /^(0\.0\.0\.0|::)\/0$/.test(source));
  return (
    found.name !== undefined &&
    !found.usedAt &&
    (isOpen || "ipAccessList" in sent) &&
    shows(apiKeyInputs, { state: "enabled", expireAt: null, ...sent }, observe(found).inputs)
  );
}

/**
 * Whether a key can be the one with this `keyId`, of which the service shows only the last characters.
 *
 * @param keyId the `keyId` with which requests are signed
 */
export function isSigningKey({ keySuffix }: Data, keyId: string | undefined): boolean {
  return typeof keySuffix === "string" && keySuffix !== "" && keyId?.endsWith(keySuffix) === true;
}

/** Takes over a key that exists: whatever differs from the declared inputs is changed. */
async function adopt(id: string, declared: Inputs, session: Session): Promise<LiveState> {
  const place = scopeOf(declared, session);
  const found = await lookUp(session, keys, place, id);
  if (found === "gone") throw new Error(`adoptId: organization ${place.organizationId} has no API key ${id}`);
  if (found === "unseen" || !session.allows("updateKey")) {
    throw new Error(`adoptId: taking over API key ${id} takes ${undocumentedOperation}`);
  }
  session.warnOnce(
    `API key ${id} is taken over without its secret, which the service shows only at creation`,
  );
  return observe(
    aboutObject(
      session,
      "updateKey",
      await session.call("updateKey", { ...place, id }, bodyOf(declared)),
      id,
    ),
  );
}

/**
 * Only what is declared is sent: an access list that is absent allows all addresses, an empty one may deny all. Without
 * the hashes, which the service takes at creation alone.
 */
function bodyOf(declared: Inputs): Data {
  const { expireAt, hashData, ...body } = sentPart(apiKeyResource, declared);
  return {
    ...body,
    ...("expireAt" in declared ? { expireAt: expireAt || null } : {}),
  };
}

function observe(key: Data): LiveState {
  return {
    inputs: pick(key, ["name", "roles", "state", "expireAt", "ipAccessList"]),
    outputs: pick(key, ["keySuffix", "createdAt", "usedAt"]),
  };
}

const pastExpiry: Problem = {
  path: "expireAt",
  message: "must be in the future: the key would be dead on arrival",
};

function isPast(expireAt: Inputs["expireAt"]): boolean {
  return typeof expireAt === "string" && expireAt !== "" && Date.parse(expireAt) <= Date.now();
}

function addressProblems(list: Inputs["ipAccessList"] | undefined): Problem[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry, index) => {
    const source: unknown = entry?.source;
    if (typeof source !== "string" || isAddressOrRange(source)) return [];
    return [{ path: `ipAccessList[${index}].source`, message: `must be ${addressOrRange}` }];
  });
}

function isAddressOrRange(source: string): boolean {
  const [address = "", prefix, ...rest] = source.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}

function scopeOf(placed: Scope, session: Session): { organizationId: string } {
  return { organizationId: session.organizationOf(placed) };
}
