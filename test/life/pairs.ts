import type { TypeName } from "../../provider/resources/registry";
import { isObject, type PropertyMap } from "../../provider/values/data";
import type { Random } from "../simulation/random";
import type { Json } from "../unit/resources/example";
import { sourcesByKind } from "../unit/resources/source.example";
import type { StackProgram } from "./stack";

export type Members = { readonly [name: string]: Json };

/** What a program declares of an object's members: in the resource of the object, and in other resources. */
export interface Shares {
  readonly own: Members;
  readonly others: Members;
}

/** Two types whose resources declare members of one object. */
export interface Pair {
  readonly title: string;
  readonly own: TypeName;
  readonly other: TypeName;
  /** The values of each member among which programs choose. An object stands for inputs that a program declares together. */
  readonly values: { readonly [member: string]: readonly Json[] };
  /** The input of the own resource that declares all members at once, where there is one. Without it, the others declare them. */
  readonly list?: string;
  /** What becomes of members that a program gives up while both resources stay. */
  readonly dropped: { readonly [holder in keyof Shares]: "stays" | "goes" };
  /** The requests that change the object. */
  readonly requests: readonly string[];
  program(shares: Shares): StackProgram;
  /** The members in a record of the service. */
  shown(record: PropertyMap): PropertyMap;
}

const scalingWith = (title: string, values: Pair["values"]): Pair => ({
  title,
  own: "Service",
  other: "ServiceScaling",
  values: { idleScaling: [true, false], idleTimeoutMinutes: [5, 15, 25], ...values },
  dropped: { own: "stays", others: "stays" },
  requests: ["updateReplicaScaling", "updateService"],
  program: ({ own, others }) => ({
    own: { name: "lake", provider: "aws", region: "eu-central-1", ipAccessList: [], ...flat(own) },
    others: ({ id }) => oneOf("scaling", { serviceId: id, onDestroy: "restore" }, flat(others)),
  }),
  // The service shows no mode that is the usual one.
  shown: ({ autoscalingMode = "vertical", ...record }) => ({ autoscalingMode, ...record }),
});

const scaling = scalingWith("the scaling of a service", {
  numReplicas: [2, 3, 4],
  minReplicaMemoryGb: [8, 16],
  maxReplicaMemoryGb: [64, 96],
});

const scalingWithMode = scalingWith("the scaling of a service and its mode", {
  mode: [
    { autoscalingMode: "vertical", numReplicas: 3, minReplicaMemoryGb: 8, maxReplicaMemoryGb: 64 },
    ...[2, 4].map((minReplicas) => ({
      ...{ autoscalingMode: "horizontal", minReplicas, maxReplicas: 5 },
      ...{ minReplicaMemoryGb: 32, maxReplicaMemoryGb: 32 },
    })),
  ],
});

const [logs, traces, metrics, otherLogs, sessions] = [1, 2, 3, 4, 5].map(
  (last) => `65f1c0a2b3d4e5f60718291${last}`,
) as [string, string, string, string, string];

const links: Pair = {
  title: "the links of a source",
  own: "Source",
  other: "SourceLinks",
  values: {
    logSourceId: [logs, otherLogs],
    metricSourceId: [metrics, otherLogs],
    sessionSourceId: [sessions, traces],
  },
  dropped: { own: "goes", others: "goes" },
  requests: ["updateSource"],
  program: ({ own, others }) => ({
    own: { ...sourcesByKind.trace, ...own },
    others: ({ id }) => oneOf("links", { sourceId: id }, others),
  }),
  shown: (record) => record,
};

const oneOf = (name: string, place: PropertyMap, members: Members) =>
  Object.keys(members).length === 0 ? {} : { [name]: { ...place, ...members } };

const roleIds = [
  "5e1d7c90-84ab-4f26-b3d9-6c0e2a9f1b11",
  "5e1d7c90-84ab-4f26-b3d9-6c0e2a9f1b12",
  "0d1f2a3b-4c5d-4e6f-8a7b-9c0d1e2f3a04",
];

type RolePair = Pick<Pair, "title" | "own" | "requests" | "shown"> & {
  readonly declared: PropertyMap;
  actor(id: string, state: PropertyMap): PropertyMap;
};

const rolesOf = ({ declared, actor, ...pair }: RolePair): Pair => ({
  ...pair,
  other: "RoleAssignment",
  values: Object.fromEntries(roleIds.map((id) => [id, [true]])),
  list: "assignedRoleIds",
  dropped: { own: "stays", others: "goes" },
  program: ({ own, others }) => ({
    own: { ...declared, ...own },
    others: ({ id, state }) =>
      Object.fromEntries(Object.keys(others).map((roleId) => [roleId, { roleId, ...actor(id, state) }])),
  }),
});

const held = (ids: readonly unknown[]) => Object.fromEntries(ids.map((id) => [id, true]));

const rolesOfKey = rolesOf({
  title: "the roles of an API key",
  own: "ApiKey",
  declared: { name: "reporting" },
  requests: ["updateRole", "updateKey"],
  actor: (apiKeyId) => ({ apiKeyId }),
  shown: ({ assignedRoles = [] }) =>
    held((assignedRoles as readonly PropertyMap[]).map(({ roleId }) => roleId)),
});

const rolesOfMember = rolesOf({
  title: "the roles of a member",
  own: "Member",
  declared: { email: "ben@example.com" },
  requests: ["updateRole", "updateMember"],
  actor: (_id, { userId }) => ({ userId }),
  shown: ({ roleIds }) => held(roleIds as readonly unknown[]),
});

export const pairs: readonly Pair[] = [scaling, scalingWithMode, links, rolesOfKey, rolesOfMember];

const inputsOf = (name: string, values: readonly Json[]): readonly string[] =>
  values.flatMap((value) => Object.keys(flat({ [name]: value })));

/** The names of all inputs that programs declare of the members. */
export const namesIn = ({ values }: Pair): readonly string[] =>
  Object.entries(values).flatMap(([name, all]) => inputsOf(name, all));

/** The name of the member that an input belongs to, or of the list of all members. */
export function memberWith(input: string, { values, list = input }: Pair): string {
  const [member] = Object.entries(values).find(([name, all]) => inputsOf(name, all).includes(input)) ?? [];
  return member ?? list;
}

const flat = (members: Members): Members =>
  Object.assign(
    {},
    ...Object.entries(members).map(([name, value]) => (isObject(value) ? value : { [name]: value })),
  );

/** The values that a program declares of the members: null for a member without which it declares all. */
export function declaredIn({ values, list = "" }: Pair, { own, others }: Shares): Members {
  const all = own[list];
  if (!Array.isArray(all)) return flat({ ...own, ...others });
  return Object.fromEntries(Object.keys(values).map((name) => [name, all.includes(name) || null]));
}

/** Draws a program that changes, adds, removes or moves some of the members that another program declares. */
export function drawnShares(pair: Pair, former: Shares, random: Random, only?: keyof Shares): Shares {
  const { values, list } = pair;
  if (list !== undefined) {
    const declared = declaredIn(pair, former);
    const ids = Object.keys(values).filter((name) => random.chance(0.35) !== (declared[name] === true));
    const isOwn = only === "own" || random.chance(0.4) !== list in former.own;
    return isOwn ? { own: { [list]: ids }, others: {} } : { own: {}, others: held(ids) as Members };
  }
  const drawn: { own: Record<string, Json>; others: Record<string, Json> } = { own: {}, others: {} };
  for (const [name, candidates] of Object.entries(values)) {
    const holder = name in former.own ? "own" : name in former.others ? "others" : undefined;
    const next = random.chance(0.6) ? holder : random.pick(["own", "others", undefined] as const);
    const now = { ...former.own, ...former.others }[name];
    const value = random.chance(0.6) && now !== undefined ? now : random.pick(candidates);
    if (next) drawn[only ?? next][name] = value;
  }
  return drawn;
}
