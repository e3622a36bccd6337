import { dialects } from "../../api/dialect";
import type { Settings } from "../../api/settingsSchema";
import { SharedMembers } from "../../lifecycle/sharedMembers";
import type { PropertyMap } from "../../values/data";
import { isUnknown } from "../../values/unknown";
import type { Failure } from "../../values/validate";

const scalingMembers = [
  "numReplicas",
  "idleScaling",
  "idleTimeoutMinutes",
  "minTotalMemoryGb",
  "maxTotalMemoryGb",
];

/** The scaling properties that only the operation `updateScaling` changes. */
const totalMembers = ["minTotalMemoryGb", "maxTotalMemoryGb"];

/** The scaling properties that determine whether the number of replicas is fixed or varies. */
const modeMembers = ["autoscalingMode", "minReplicas", "maxReplicas"];

/** The scaling properties that only the operation `updateReplicaScaling` changes. */
const replicaMembers = ["minReplicaMemoryGb", "maxReplicaMemoryGb", ...modeMembers];

const allMembers = [...scalingMembers, ...replicaMembers];

/** The scaling properties of a service that its `Service` or a `ServiceScaling` declares. */
export const sharedScaling = new SharedMembers(allMembers);

export const membersOfReplicaScaling = allMembers.filter((name) => !totalMembers.includes(name));

/** The requests that change a service's scaling: one operation, or two if neither can change all properties. */
export function requestsFor(
  body: PropertyMap,
  settings: Settings,
): readonly (readonly ["updateScaling" | "updateReplicaScaling", PropertyMap])[] {
  const totals = Object.entries(body).filter(([name]) => totalMembers.includes(name));
  const further = Object.entries(body).filter(([name]) => !totalMembers.includes(name));
  const needsReplicaScaling = further.some(([name]) => replicaMembers.includes(name));
  if (!dialects[settings.dialect].hasReplicaScaling || (totals.length > 0 && !needsReplicaScaling))
    return [["updateScaling", body]];
  if (totals.length === 0) return [["updateReplicaScaling", body]];
  return [
    ["updateScaling", Object.fromEntries(totals)],
    ["updateReplicaScaling", Object.fromEntries(further)],
  ];
}

/** The scaling properties that a change of the mode needs, and those that it may make invalid. */
const membersOfMode = [...replicaMembers, "numReplicas"];

/**
 * The scaling properties that are restored when a `ServiceScaling` is destroyed: those that it manages. If these determine the
 * scaling mode, everything about the mode, the replicas and their memory is restored, since a change of the mode needs it.
 *
 * @param moved those that the `Service` declares now: they stay, and so does the mode if it depends on them
 */
export function restoringMembers(managed: readonly string[], moved: readonly string[]): string[] {
  const isMode = (names: readonly string[]) => names.some((name) => membersOfMode.includes(name));
  const hasMode = modeMembers.some((name) => managed.includes(name));
  const all = new Set([...managed, ...(hasMode ? membersOfMode : [])]);
  return [...all].filter(
    (name) =>
      !moved.includes(name) &&
      !(hasMode && isMode(moved.filter((each) => managed.includes(each))) && membersOfMode.includes(name)),
  );
}

export function scalingFailures(
  declared: PropertyMap,
  olds: PropertyMap | undefined,
  settings: Settings,
): Failure[] {
  const { hasReplicaScaling } = dialects[settings.dialect];
  if (allMembers.every((name) => !(name in declared))) {
    const members = hasReplicaScaling ? membersOfReplicaScaling : scalingMembers;
    return [{ path: "", message: `declare at least one of ${members.join(", ")}` }];
  }
  return scalingConflicts(declared, olds);
}

export function scalingConflicts(declared: PropertyMap, olds: PropertyMap | undefined): Failure[] {
  const failure =
    ranges.map(([least, most]) => rangeFailure(declared, least, most)).find(Boolean) ??
    bandFailure(declared) ??
    modeFailure(declared) ??
    switchFailure(declared, olds ?? {});
  return failure ? [failure] : [];
}

const leastOfPrimary = 2;

const ofPrimary = `the primary service of a warehouse has at least ${leastOfPrimary} replicas`;

/** The failure for fewer replicas than a warehouse's primary service needs. The Pulumi state shows which one is primary. */
export function primaryFailure(
  { numReplicas }: PropertyMap,
  { isPrimary }: PropertyMap,
): Failure | undefined {
  if (isPrimary !== true || typeof numReplicas !== "number" || numReplicas >= leastOfPrimary)
    return undefined;
  return {
    path: "numReplicas",
    message: `must be at least ${leastOfPrimary} for the primary service of a warehouse`,
  };
}

/** The most memory in GB of an unpaid service, per replica and in total. No answer shows whether a service is paid for. */
const mostUnpaid: { readonly [member: string]: number } = {
  minReplicaMemoryGb: 120,
  maxReplicaMemoryGb: 120,
  minTotalMemoryGb: 360,
  maxTotalMemoryGb: 360,
};

/** The limits that a refused scaling may exceed, for the error message; empty if the service's own error names the limit. */
export function limitsOf(body: PropertyMap, reason: string): string {
  const beyond = Object.entries(mostUnpaid).find(([name, most]) => Number(body[name]) > most);
  return [
    ...(Number(body.numReplicas) < leastOfPrimary && !/warehouse/i.test(reason) ? [ofPrimary] : []),
    ...(beyond && !/paid/i.test(reason)
      ? [`a service that is not paid for takes a ${beyond[0]} of at most ${beyond[1]}`]
      : []),
  ].join(", and ");
}

const ranges = [
  ["minTotalMemoryGb", "maxTotalMemoryGb"],
  ["minReplicaMemoryGb", "maxReplicaMemoryGb"],
  ["minReplicas", "maxReplicas"],
] as const;

function rangeFailure(declared: PropertyMap, least: string, most: string): Failure | undefined {
  const [low, high] = [declared[least], declared[most]];
  if (typeof low !== "number" || typeof high !== "number" || low <= high) return undefined;
  return { path: least, message: `must be at most ${most}` };
}

/** The failure for only one of `minReplicas` and `maxReplicas`, or for both beside a fixed number of replicas. */
function bandFailure(declared: PropertyMap): Failure | undefined {
  const { autoscalingMode, minReplicas, maxReplicas } = declared;
  const bounds = ["minReplicas", "maxReplicas"].filter((name) => name in declared);
  const [path] = bounds;
  if (path === undefined) return undefined;
  if (bounds.length === 1) {
    const counterpart = path === "minReplicas" ? "maxReplicas" : "minReplicas";
    return { path: counterpart, message: `is missing: ${path} needs it` };
  }
  if ("numReplicas" in declared)
    return {
      path: "numReplicas",
      message: "conflicts with minReplicas and maxReplicas; declare either numReplicas or these two",
    };
  if (autoscalingMode === "vertical")
    return { path, message: 'does not apply when autoscalingMode is "vertical"; use numReplicas' };
  if (minReplicas === maxReplicas && typeof minReplicas === "number" && !("autoscalingMode" in declared))
    return { path, message: "must be below maxReplicas; for a fixed number of replicas use numReplicas" };
  return undefined;
}

/** The failure for horizontal scaling of a service without a fixed memory per replica. */
function modeFailure(declared: PropertyMap): Failure | undefined {
  if (modeOf(declared) !== "horizontal") return undefined;
  const unsuited = ["numReplicas", ...totalMembers].find((name) => name in declared);
  if (unsuited) {
    const instead =
      unsuited === "numReplicas"
        ? "minReplicas and maxReplicas"
        : "minReplicaMemoryGb and maxReplicaMemoryGb";
    return { path: unsuited, message: `does not apply to horizontal scaling; use ${instead}` };
  }
  const { minReplicaMemoryGb: least, maxReplicaMemoryGb: most } = declared;
  if (least === most || isUnknown(least) || isUnknown(most)) return undefined;
  const message = "must be equal to maxReplicaMemoryGb for horizontal scaling";
  return { path: "minReplicaMemoryGb", message };
}

/** The failure for a change of a service's `autoscalingMode` that does not declare the number of replicas in the new mode. */
function switchFailure(declared: PropertyMap, olds: PropertyMap): Failure | undefined {
  const [before, now] = [modeOf(olds), modeOf(declared)];
  if (before === undefined || now === undefined || before === now || isUnknown(now)) return undefined;
  if (!("autoscalingMode" in declared))
    return { path: "autoscalingMode", message: `is missing: to change to ${now} scaling, declare "${now}"` };
  const [count, path] =
    now === "vertical" ? ["numReplicas", "numReplicas"] : ["minReplicas and maxReplicas", "minReplicas"];
  if (path in declared) return undefined;
  return { path, message: `is missing: to change to ${now} scaling, declare ${count}` };
}

/** The scaling mode that a program declares, or that the declared numbers of replicas imply. */
function modeOf({ autoscalingMode, numReplicas, minReplicas }: PropertyMap): unknown {
  if (autoscalingMode !== undefined) return autoscalingMode;
  if (minReplicas !== undefined) return "horizontal";
  return numReplicas === undefined ? undefined : "vertical";
}
