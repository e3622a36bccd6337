import { type Static, Type } from "@sinclair/typebox";
import { badRequest } from "../apiError";
import { seededAt, seededCredentials } from "../credentials";
import { sha256 } from "../identifiers";
import { type IpAccess, isIpSource } from "../ipAccess";
import type { Records } from "../records";
import { type Call, type Route, type RouteContext, route } from "../routes";
import { closed, words } from "./jsonSchema";
import { listedRoutes, usualOperations } from "./listed";
import type { Resource } from "./resource";
import { type AssignedRole, assigned, type Role, roleRecords } from "./roleRecords";

const state = words("enabled", "disabled");
const role = words("admin", "developer", "query_endpoints");

export type KeyState = Static<typeof state>;

export type KeyRole = Static<typeof role>;

/** The record of an API key. The key's id and secret are stored only as SHA-256 hashes (hex), which responses omit. */
export interface ApiKey {
  id: string;
  name: string;
  state: KeyState;
  /**
   * The roles of the API key in ClickHouse Cloud's former model of roles. They no longer change once `assignedRoles` are set.
   */
  roles: KeyRole[];
  /** The roles of the API key, in the dialect `clickhouse` only. If absent, the key has the system roles that `roles` names. */
  assignedRoles?: AssignedRole[];
  keySuffix: string;
  createdAt: string;
  expireAt?: string;
  usedAt?: string;
  /** The addresses from which the API key may be used. If absent, all may use it; if empty, none. */
  ipAccessList?: IpAccess[];
  keyIdHash: string;
  keySecretHash: string;
}

export const keysPerOrganization = 100;

const hash = Type.String({ minLength: 1 });

const AnyBody = closed(
  {},
  {
    name: Type.String(),
    expireAt: Type.Unsafe<string | null>({ type: ["string", "null"] }),
    state,
    ipAccessList: Type.Array(closed({ source: Type.String() }, { description: Type.String() })),
    roles: Type.Array(role, { minItems: 1 }),
    hashData: closed({ keyIdHash: hash, keyIdSuffix: hash, keySecretHash: hash }),
    assignedRoleIds: Type.Array(Type.String()),
  },
);

type KeyBody = Static<typeof AnyBody>;

const refusing = { additionalProperties: false };
const NeutralBody = Type.Omit(AnyBody, ["assignedRoleIds"], refusing);

/**
 * The schemas of the request bodies of keys in the API document. In ClickHouse Cloud a key may have roles of the organization,
 * or no roles.
 */
const bodies = {
  create: Type.Unsafe<KeyBody>({ ...NeutralBody, required: ["roles"] }),
  update: Type.Unsafe<KeyBody>(Type.Omit(NeutralBody, ["hashData"], refusing)),
};

export const keys = {
  place: "organization",
  operations: usualOperations("Key", "Keys"),
  path: () => "keys",

  seed(): ApiKey[] {
    const { keyId, keySecret } = seededCredentials;
    return [
      {
        id: "c6a1e9d4-2b57-4f38-8d60-7e91b3a5f204",
        name: "sandbox admin",
        state: "enabled",
        roles: ["admin"],
        keySuffix: keyId.slice(-4),
        createdAt: seededAt,
        keyIdHash: sha256(keyId),
        keySecretHash: sha256(keySecret),
      },
    ];
  },

  requested: () => ({
    assignedRoles: [
      "assignedRoleIds",
      (held: unknown) => (held as AssignedRole[] | undefined)?.map(({ roleId }) => roleId),
    ],
  }),
  columns: ["keySuffix", "roles", "ipAccessList", "expireAt", "usedAt"],

  routes(context: RouteContext): Route[] {
    const { store, answers, vocabulary, ids } = context;
    const isProduct = vocabulary.dialect === "clickhouse";
    const rolesOf = (roleIds: readonly string[]) =>
      roleIds.map((id) => {
        const role = store.of(roleRecords).get(id);
        if (!role) throw badRequest(`assignedRoleIds: ${id} is not the id of a role of the organization`);
        return assigned(role);
      });
    const membersIn = ({ hashData, expireAt, assignedRoleIds, ...body }: KeyBody): Partial<ApiKey> => {
      checkMembers({ ...body, expireAt });
      const byName = isProduct && body.roles && systemRoles(body.roles, store).map(assigned);
      const assignedRoles = assignedRoleIds ? rolesOf(assignedRoleIds) : byName;
      return { ...body, ...(expireAt && { expireAt }), ...(assignedRoles && { assignedRoles }) };
    };
    const show = ({ keyIdHash, keySecretHash, ...key }: ApiKey) => {
      if (!isProduct) return answers.show("key", key);
      return answers.show("key", {
        expireAt: null,
        ...key,
        assignedRoles: rolesOfKey(store, key).map(assigned),
      });
    };
    const creation = route({
      operation: "createKey",
      method: "POST",
      path: "",
      body: bodies.create,
      run({ body, now }) {
        const members = membersIn(body);
        if (store.of(keys).size >= keysPerOrganization)
          throw badRequest(`an organization has at most ${keysPerOrganization} keys`);
        const { hashData } = body;
        const pair = hashData ? undefined : ids.keyPair();
        const key: ApiKey = {
          id: ids.uuid(),
          name: "",
          state: "enabled",
          ...members,
          roles: body.roles ?? [],
          keySuffix: hashData?.keyIdSuffix ?? pair?.keyId.slice(-4) ?? "",
          createdAt: new Date(now).toISOString(),
          keyIdHash: (hashData?.keyIdHash ?? sha256(pair?.keyId ?? "")).toLowerCase(),
          keySecretHash: (hashData?.keySecretHash ?? sha256(pair?.keySecret ?? "")).toLowerCase(),
        };
        store.write(keys, key);
        return { key: show(key), ...pair };
      },
    });
    const usual = listedRoutes<ApiKey>(context, {
      collection: keys,
      noun: "key",
      bodies,
      isPatched: true,
      hasUuids: true,
      membersOf({ body }: Call<KeyBody>, current) {
        const { expireAt, ...inherited } = current as ApiKey;
        return {
          ...inherited,
          ...(body.expireAt === undefined && expireAt && { expireAt }),
          ...membersIn(body),
        };
      },
      show,
      deleting({ id }, { signer }) {
        if (id === signer?.keyRecordId) throw badRequest("a key cannot delete itself");
      },
    });
    // The router takes the first route that fits a request. So the route that creates an API key with its secret precedes the
    // create route that all types of records share.
    return [creation, ...usual];
  },
} as const satisfies Resource;

function checkMembers({ expireAt, ipAccessList = [] }: KeyBody): void {
  if (expireAt && !isDateTime(expireAt)) throw badRequest("expireAt must be an ISO 8601 date-time");
  ipAccessList.forEach(({ source }, index) => {
    if (!isIpSource(source))
      throw badRequest(`ipAccessList.${index}.source must be an address or a CIDR block`);
  });
}

function isDateTime(text: string): boolean {
  const form = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i;
  return form.test(text) && !Number.isNaN(Date.parse(text));
}

function systemRoles(names: readonly string[], store: Records): Role[] {
  return [...store.of(roleRecords).values()].filter(
    ({ name, type }) => type === "system" && names.includes(name),
  );
}

/** Lists the roles of an API key that still exist, in the dialect `clickhouse`. */
export function rolesOfKey(
  store: Records,
  { roles, assignedRoles }: Pick<ApiKey, "roles" | "assignedRoles">,
): Role[] {
  if (!assignedRoles) return systemRoles(roles, store);
  return assignedRoles.flatMap(({ roleId }) => store.of(roleRecords).get(roleId) ?? []);
}
