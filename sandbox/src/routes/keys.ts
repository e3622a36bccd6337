import { randomUUID } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import { badRequest, notFound } from "../apiError";
import { isUuid, newKeyPair, sha256 } from "../identifiers";
import { isIpSource } from "../ipAccess";
import { serves } from "../operations";
import type { ApiKey } from "../records";
import { idParameters, type RouteContext } from "../routeContext";
import type { Store } from "../store";

const keysPerOrganization = 100;

const members = {
  name: Type.Optional(Type.String()),
  expireAt: Type.Optional(Type.Unsafe<string | null>({ type: ["string", "null"] })),
  state: Type.Optional(Type.Unsafe<ApiKey["state"]>({ enum: ["enabled", "disabled"] })),
  ipAccessList: Type.Optional(
    Type.Array(
      Type.Object(
        { source: Type.String(), description: Type.Optional(Type.String()) },
        { additionalProperties: false },
      ),
    ),
  ),
};

const roles = Type.Array(
  Type.Unsafe<ApiKey["roles"][number]>({ enum: ["admin", "developer", "query_endpoints"] }),
  { minItems: 1 },
);

const hash = Type.String({ minLength: 1 });

const CreateBody = Type.Object(
  {
    ...members,
    roles,
    hashData: Type.Optional(
      Type.Object(
        { keyIdHash: hash, keyIdSuffix: hash, keySecretHash: hash },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);

const UpdateBody = Type.Object({ ...members, roles: Type.Optional(roles) }, { additionalProperties: false });

/** The keys of the organization: list, create, get, update and delete. */
export function keyRoutes({ api, store, answers, envelope }: RouteContext, path: string): void {
  const show = ({ keyIdHash, keySecretHash, ...key }: ApiKey) => answers.show("key", key);
  const one = { schema: { params: idParameters } };

  api.get(path, serves("listKeys"), async (request) => envelope(request, [...store.keys.values()].map(show)));

  api.post(path, { ...serves("createKey"), schema: { body: CreateBody } }, async (request) => {
    const { hashData, ...body } = request.body;
    checkMembers(body);
    if (store.keys.size >= keysPerOrganization) {
      throw badRequest(`an organization has at most ${keysPerOrganization} keys`);
    }
    const pair = hashData ? undefined : newKeyPair();
    const key: ApiKey = {
      id: randomUUID(),
      name: "",
      state: "enabled",
      ...definedMembers(body),
      roles: body.roles,
      keySuffix: hashData?.keyIdSuffix ?? pair?.keyId.slice(-4) ?? "",
      createdAt: new Date().toISOString(),
      keyIdHash: (hashData?.keyIdHash ?? sha256(pair?.keyId ?? "")).toLowerCase(),
      keySecretHash: (hashData?.keySecretHash ?? sha256(pair?.keySecret ?? "")).toLowerCase(),
    };
    store.keys.set(key.id, key);
    return envelope(request, { key: show(key), ...pair });
  });

  api.get(`${path}/:id`, { ...one, ...serves("getKey") }, async (request) =>
    envelope(request, show(find(store, request.params.id))),
  );

  api.patch(
    `${path}/:id`,
    { ...serves("updateKey"), schema: { ...one.schema, body: UpdateBody } },
    async (request) => {
      const key = find(store, request.params.id);
      checkMembers(request.body);
      if (request.body.expireAt !== undefined) delete key.expireAt;
      Object.assign(key, definedMembers(request.body));
      return envelope(request, show(key));
    },
  );

  api.delete(`${path}/:id`, { ...one, ...serves("deleteKey") }, async (request) => {
    const key = find(store, request.params.id);
    if (key === request.signer?.key) throw badRequest("a key cannot delete itself");
    store.keys.delete(key.id);
    return envelope(request);
  });
}

function find(store: Store, id: string): ApiKey {
  if (!isUuid(id)) throw badRequest("Invalid key id");
  const key = store.keys.get(id);
  if (!key) throw notFound("key not found");
  return key;
}

function checkMembers({ expireAt, ipAccessList = [] }: Static<typeof UpdateBody>): void {
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

/** The members of a key that a body sets. With an expireAt of null or "" it never expires. */
function definedMembers({ expireAt, ...body }: Static<typeof UpdateBody>): Partial<ApiKey> {
  return { ...body, ...(expireAt && { expireAt }) };
}
