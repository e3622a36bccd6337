import { enums } from "../../api/enums.golden";
import { uuid } from "../../api/settingsSchema";
import { resourceOf } from "../../lifecycle/lifecycle";
import type { Resource } from "../../lifecycle/resource";
import { adoptable, contextOf, inOrganization } from "../../lifecycle/scope";
import type { Session } from "../../lifecycle/session";
import { defaultsIn, isEmpty, shows } from "../../values/compare";
import { isSameId, type PropertyMap, pick } from "../../values/data";
import { isEverywhere } from "../../values/network";
import { oneOf } from "../../values/schema";
import { type Static, Type } from "../../values/schemaBuilders";
import { isUnknown } from "../../values/unknown";
import { addressOrRange } from "../access/addresses";
import { noteComingList, noteList } from "../access/exclusiveRoles";
import { warnOfQuota } from "../access/quotas";
import { isSigningKey } from "../access/signingActor";
import { keyFailures, pastFailures } from "./apiKeyRules";
import { isDue, withRotation } from "./rotation";

/** The schema options of a date and time in ISO 8601. The schema's `format` alone would accept a blank instead of the T. */
const instant = { format: "date-time", pattern: "^[-\\d]+T" };

const hash = { minLength: 1, secret: true };

/**
 * Inputs of an API key.
 * @see "Create key body", "Limits" in the API document
 */
export const apiKeyInputs = inOrganization({
  /**
   * Adopts the existing API key with this id instead of creating one; its secret stays unknown. Has no effect once the key is
   * in the Pulumi state. While `adoptId` is declared, the preview rejects changes that would replace the key.
   */
  adoptId: adoptable,
  /** Name of the API key. Default: the name of the resource. */
  name: Type.Optional(Type.String({ minLength: 1 })),
  /**
   * Roles of the API key: one or more of `admin`, `developer` and `query_endpoints`. Required, but optional in the dialect
   * `clickhouse`, which has `assignedRoleIds` besides: in organizations that have migrated to custom roles, answers of the API
   * no longer show a key's roles in this property.
   */
  roles: Type.Optional(
    Type.Array(oneOf(enums.apiKeyRole), {
      minItems: 1,
      uniqueItems: true,
      comparison: "set",
      otherForms: "any",
      irremovable: "assignedRoleIds says which roles it has in their place",
    }),
  ),
  /**
   * Ids (uuid) of the roles of the API key, system and custom ones; `[]` for none. Instead of `roles`. Needs `dialect:
   * clickhouse`.
   */
  assignedRoleIds: Type.Optional(
    Type.Array(Type.String({ ...uuid, comparison: "id", of: "Role" }), {
      uniqueItems: true,
      comparison: "set",
      dialect: "clickhouse",
      irremovable: "declare [] to assign none",
    }),
  ),
  /** Whether the API key may authenticate requests: `enabled` (the service's default) or `disabled`. */
  state: Type.Optional(oneOf(enums.apiKeyState, { reset: "enabled", shown: "sometimes" })),
  /** Expiry date and time of the API key (ISO 8601 with zone). Default, null or "": never. */
  expireAt: Type.Optional(
    Type.Union([Type.String(instant), Type.Literal(""), Type.Null()], {
      comparison: "instant",
      reset: null,
      rule: "a date and time with a zone, such as 2027-01-31T00:00:00Z, or null for never",
    }),
  ),
  /** IP addresses that may use the API key. Default: all. An empty list may lock the key out of every address. */
  ipAccessList: Type.Optional(
    Type.Array(
      Type.Object(
        {
          /** An IP address or a CIDR range to let in. */
          source: Type.String({ minLength: 1, rule: addressOrRange, comparison: "network" }),
          /** Description of the IP address or range. An empty one means none. */
          description: Type.Optional(Type.String({ comparison: "emptyIsNone" })),
        },
        { additionalProperties: false, identity: ["source"] },
      ),
      {
        comparison: "set",
        irremovable: 'declare [{ source: "0.0.0.0/0" }] to allow all addresses',
      },
    ),
  ),
  /**
   * Hashes of an API key's id and secret that you generated yourself; the service then returns no secret. A change replaces the
   * key.
   */
  hashData: Type.Optional(
    Type.Object(
      {
        /** Hash of the API key's id. */
        keyIdHash: Type.String(hash),
        /** Last characters of the API key's id. */
        keyIdSuffix: Type.String(hash),
        /** Hash of the API key's secret. */
        keySecretHash: Type.String(hash),
      },
      { additionalProperties: false, replaces: "declared", sent: "atCreation", shown: "never", secret: true },
    ),
  ),
  /**
   * Replaces the API key once it is so many days old, 1 to 3650: the first update after the next midnight (UTC) creates a new
   * key, and then deletes the old one. Previews say when; refreshes never replace it. Not with `adoptId` or `hashData`: each
   * names one key, so no new key can take its place. Default: never.
   */
  rotateAfterDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650, sent: "never" })),
  /** Arbitrary values. Changing one of them rotates the API key: the new key is created before the old one is deleted. */
  keepers: Type.Optional(Type.Record(Type.String(), Type.String(), { sent: "never", replaces: "declared" })),
});

/**
 * Outputs of an API key beyond its inputs.
 * @see "API key (result of key creation)" in the API document
 */
export const apiKeyOutputs = Type.Object({
  /**
   * The `keyId` of the API key, which is the user name when requests authenticate. Unknown for a key that was adopted or
   * created with `hashData`.
   */
  keyId: Type.Optional(Type.String({ shown: "atCreation" })),
  /** Secret of the API key: shown by the service once, at creation, and kept encrypted in the Pulumi state. */
  keySecret: Type.Optional(Type.String({ secret: true, shown: "atCreation" })),
  /** Last characters of the API key's `keyId`. */
  keySuffix: Type.Optional(Type.String()),
  /** Roles of the API key. Answers show them only in the dialect `clickhouse`. */
  assignedRoles: Type.Optional(
    Type.Array(
      Type.Object({
        /** Id (uuid) of a role of the API key. */
        roleId: Type.String({ of: "Role" }),
        /** Name of a role of the API key. */
        roleName: Type.Optional(Type.String()),
        /** Kind of role: `system` for a predefined role, `custom` for one of the organization. */
        roleType: Type.Optional(Type.String()),
      }),
      { volatile: true },
    ),
  ),
  /** When the API key was created (ISO 8601). */
  createdAt: Type.Optional(Type.String()),
  /** The first day (UTC), such as `2027-02-28`, on which an update replaces the API key. Only with `rotateAfterDays`. */
  rotatesAt: Type.Optional(Type.String()),
  /** When the API key was last used (ISO 8601); it changes by itself and never counts as drift. */
  usedAt: Type.Optional(Type.String({ volatile: true })),
});

type Inputs = Static<typeof apiKeyInputs>;

export const apiKeyResource: Resource = resourceOf({
  type: "ApiKey",
  noun: "API key",
  inputs: apiKeyInputs,
  outputs: apiKeyOutputs,
  scope: "organization",
  operations: {
    create: "createKey",
    list: "listKeys",
    get: "getKey",
    update: "updateKey",
    delete: "deleteKey",
  },
  namedBy: "name",

  uses: { Role: "They lose its permissions" },

  failures: keyFailures,

  warnings: ({ ipAccessList }: Partial<Inputs>) =>
    ipAccessList?.length === 0
      ? ["ApiKey: ipAccessList: [] may lock the key out of every address; to allow all, leave it out"]
      : [],

  encode: (body) => ("expireAt" in body ? { ...body, expireAt: body.expireAt || null } : body),

  isLike,

  decode: (key) => ({ ...key, ...assignedRoleIdsOf(key) }),

  // No keepers and an empty map of them are the same, so a program that begins to declare the map replaces no key.
  refineChange: (change, state, inputs) =>
    change.path === "keepers" && isEmpty(state.keepers) && isEmpty(inputs.keepers)
      ? { ...change, replaces: false }
      : change,

  // An API key declares its roles either by name or by id. In organizations with custom roles, only the ids in an answer are
  // reliable.
  declaration({ roles, assignedRoleIds, ...members }) {
    if (Array.isArray(assignedRoleIds) && assignedRoleIds.length > 0) return { assignedRoleIds, ...members };
    return Array.isArray(roles) && roles.length > 0 ? { roles, ...members } : members;
  },

  around: {
    async check(usual, olds, news, session) {
      const checked = await usual(olds, news, session);
      noteComingList("apiKey", checked.inputs, Object.keys(olds).length === 0, session);
      await warnOfQuota("api-keys-per-organization", apiKeyResource, olds, checked, session);
      return { ...checked, inputs: withRotation(checked.inputs, olds) };
    },

    async diff(usual, id, state, inputs, session) {
      noteList("apiKey", id, inputs, session);
      if (signs(state, session)) refuseLostRoles(id, state.assignedRoles, inputs);
      const changes = await usual(id, state, inputs, session);
      if (!isDue(state, inputs)) return changes;
      return [...changes, { path: "rotatesAt", kind: "update", replaces: true }];
    },

    async create(usual, inputs, session) {
      const { adoptId } = inputs;
      // For an API key in the Pulumi state, the check accepts an expiry date in the past. If a new key replaces that key, only
      // this check of `create` refuses the date.
      for (const { path, message } of pastFailures(inputs)) throw new Error(`${path} ${message}`);
      if (typeof adoptId === "string" && inputs.assignedRoleIds !== undefined) {
        const { scope } = contextOf(apiKeyResource, inputs, session);
        const live = await session.lists.find("listKeys", scope, adoptId).catch(() => undefined);
        if (live && signs(live, session)) refuseLostRoles(adoptId, live.assignedRoles, inputs);
      }
      const created = await usual(inputs, session);
      noteList("apiKey", created.id, inputs, session);
      if (adoptId)
        session.warnOnce(
          `API key ${adoptId} is adopted without its secret, which the service shows only at creation`,
        );
      return { ...created, state: { ...created.state, ...pick(inputs, ["rotatesAt"]) } };
    },

    async read(usual, id, state, session) {
      const live = await usual(id, state, session);
      if (live === "gone" || live === "unseen") return live;
      return { ...live, inputs: { ...live.inputs, ...pick(state, ["rotatesAt"]) } };
    },

    async update(usual, id, state, inputs, session) {
      const { rotatesAt: _, ...updated } = await usual(id, state, inputs, session);
      return { ...updated, ...pick(inputs, ["rotatesAt"]) };
    },

    async delete(usual, id, state, session) {
      if (!signs(state, session)) return usual(id, state, session);
      const sign =
        state.keyId === undefined
          ? "may be the key this provider signs with (same suffix)"
          : "is the key this provider signs with";
      throw new Error(
        `API key ${id} is not deleted: it ${sign}; set other credentials in keyId and keySecret first`,
      );
    },
  },
});

/** Whether an API key signs the provider's own requests, or may do so, by the Pulumi state or an answer about it. */
function signs(key: PropertyMap, { settings: { keyId } }: Session): boolean {
  return key.keyId === undefined ? isSigningKey(key, keyId) : key.keyId === keyId;
}

/** @throws Error if the program takes a role from the key that signs its own requests */
function refuseLostRoles(id: string, assignedRoles: unknown, { assignedRoleIds }: PropertyMap): void {
  if (!Array.isArray(assignedRoleIds) || assignedRoleIds.some(isUnknown)) return;
  const { assignedRoleIds: held = [] } = assignedRoleIdsOf({ assignedRoles }) as {
    assignedRoleIds?: unknown[];
  };
  const lost = held.filter(
    (role) => role !== undefined && !assignedRoleIds.some((kept) => isSameId(kept, role)),
  );
  if (lost.length > 0)
    throw new Error(
      `assignedRoleIds: API key ${id} signs the provider's requests, or has the last characters of the key that does, and would lose role ${lost.join(", ")}; keep the role, or set other credentials in keyId and keySecret first`,
    );
}

/**
 * Whether a create request whose answer was lost may have made an API key: the key is unused, and has only defaults and values
 * that the request has sent.
 */
function isLike(live: PropertyMap, { hashData, ...request }: PropertyMap): boolean {
  const allowed = live.ipAccessList;
  const isOpen =
    !Array.isArray(allowed) ||
    allowed.every((entry: PropertyMap | null) => isEverywhere(String(entry?.source)));
  return (
    live.name !== undefined &&
    !live.usedAt &&
    (isOpen || "ipAccessList" in request) &&
    shows(apiKeyInputs, { ...defaultsIn(apiKeyInputs), ...request }, { ...live, ...assignedRoleIdsOf(live) })
  );
}

function assignedRoleIdsOf({ assignedRoles }: PropertyMap): PropertyMap {
  if (!Array.isArray(assignedRoles)) return {};
  return { assignedRoleIds: assignedRoles.map((role: PropertyMap | null) => role?.roleId) };
}
