import { resources, type TypeName } from "../../provider/resources/registry";
import { isObject, type PropertyMap } from "../../provider/values/data";
import type { Asked, OpenService, Server } from "../life/server";
import { type Api, requestOfOperation } from "../productJudge";
import { organizationId, serviceId } from "../unit/resources/example";
import { contentOf } from "./client";
import { type Order, orders } from "./gate";
import type { Target } from "./target";

/** The types that an acceptance run leaves out, each with the reason. */
const leftOut: { readonly [type in TypeName]?: string } = {
  Member: "it is about people, who would get mail and lose access",
  RoleAssignment: "it is about people and keys that exist",
  PrivateEndpoint: "it needs an endpoint in a network of one's own",
  ReversePrivateEndpoint: "it needs an endpoint service in a network of one's own",
  Udf: "not every organization has this beta feature",
  UdfAttachment: "not every organization has this beta feature",
  SshTunnel: "only a host of one's own shows whether it works",
  Pipe: "it needs a source of data, with credentials",
  PipeCdcScaling: "it is there only beside a pipe from a database",
  BackupBucket: "it needs a bucket of one's own",
  SnapshotConfiguration: "it is a beta feature, which not every organization has",
  ReplicaAwareRouting: "it is a beta feature, which not every organization has",
};

/** The types whose objects are billed, or belong to a service of the run's own, which is. */
const billed: readonly TypeName[] = [
  "Service",
  "ServiceScaling",
  "ServiceScalingSchedule",
  "ServiceSettings",
  "BackupConfiguration",
  "UpgradeWindow",
  "QueryEndpoint",
];

/** What the tests of an acceptance run know of it: the gate's addresses, and the target. */
export interface Opened {
  readonly gate: { readonly [api in Api]?: string };
  readonly target: Target;
}

/** Describes the real server of an acceptance run for the life tests. */
export function realServer(opened: Opened): Server {
  const { version, isBilled, organizationId: organization } = opened.target;
  return {
    title: "a real server",
    setup: {
      dialect: "clickhouse",
      apis: organization ? "management" : "observability",
      ...(version && { version }),
    },
    isReal: true,
    leftOut: organization
      ? { ...leftOut, ...(isBilled ? {} : reasons(billed, "it is billed: use --billed")) }
      : {},
    open: async () => openServer(opened),
  };
}

const reasons = (types: readonly TypeName[], reason: string) =>
  Object.fromEntries(types.map((type) => [type, reason]));

function openServer({ gate, target }: Opened): OpenService {
  const api: Api = target.organizationId ? "management" : "observability";
  const address = `${gate[api]}`;
  const look = async (path: string) => {
    const response = await fetch(`${address}${path}`, { headers: { "x-acceptance": "look" } });
    return response.ok ? contentOf(await response.json()) : undefined;
  };
  return {
    settings: settingsOf(target, gate),
    hasVirtualTime: false,
    find: (type, id) => find(type, id, api, look),
    requests: () => ordered<Asked[]>(address, { kind: "tell" }),
    loseAnswer: (operation) => ordered<void>(address, { kind: "lose", operation }),
    reset: () => ordered<void>(address, { kind: "reset" }),
    close: async () => undefined,
  };
}

/** Has the gate carry out an order. */
export async function ordered<Result>(address: string, order: Order): Promise<Result> {
  const response = await fetch(`${address}${orders}`, { method: "POST", body: JSON.stringify(order) });
  const { result, error } = (await response.json()) as { result: Result; error?: string };
  if (!response.ok) throw new Error(error);
  return result;
}

function settingsOf(
  { key, accessTokens, serviceId: service }: Target,
  { management, observability }: { readonly [api in Api]?: string },
): Readonly<Record<string, string>> {
  const [keyId = "", ...secret] = key?.split(":") ?? [];
  return {
    ...{ dialect: "clickhouse", maxRetries: "1", requestsPerSecond: "1000", timeoutSeconds: "300" },
    ...(management && { baseUrl: management, organizationId, keyId, keySecret: secret.join(":") }),
    ...(management && service && { serviceId }),
    ...(observability && { obsBaseUrl: observability, accessToken: accessTokens[0] ?? "" }),
  };
}

/** Reads an object as the server has it: by its id, or from the list if the documents have no such request. */
async function find(
  type: TypeName,
  id: string,
  api: Api,
  look: (path: string) => Promise<unknown>,
): Promise<PropertyMap | undefined> {
  const { get, list } = resources[type].operations;
  const pathOf = (name: NonNullable<typeof get>) => {
    const [, path = ""] = requestOfOperation(api, name).split(" ");
    return path
      .replace("{organizationId}", organizationId)
      .replace("{serviceId}", type === "Service" ? id : serviceId)
      .replace(/\{\w+\}/, id);
  };
  const found = get ? await look(pathOf(get)) : await look(pathOf(list as NonNullable<typeof get>));
  const object = Array.isArray(found) ? found.find((entry) => entry?.id === id) : found;
  return isObject(object) ? lasting(type, object) : undefined;
}

/** Leaves out what the service makes anew with each write, and brings settings into the form of programs. */
function lasting(type: TypeName, object: PropertyMap): PropertyMap {
  if (type === "Role" && Array.isArray(object.policies))
    return {
      ...object,
      policies: object.policies.map(({ id: _, roleId, ...policy }: PropertyMap) => policy),
    };
  if (type === "ServiceScalingSchedule" && Array.isArray(object.entries))
    return { entries: object.entries.map(({ id: _, isActiveNow, ...entry }: PropertyMap) => entry) };
  if (type === "QueryApiEndpoint") return { ...object, url: undefined };
  if (type === "ServiceSettings" && Array.isArray(object.settings))
    return { settings: Object.fromEntries(object.settings.map(({ name, value }) => [name, `${value}`])) };
  return object;
}
