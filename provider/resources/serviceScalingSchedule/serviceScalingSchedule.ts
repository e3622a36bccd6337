import { enums } from "../../api/enums.golden";
import { resourceOf } from "../../lifecycle/lifecycle";
import type { Resource } from "../../lifecycle/resource";
import { inService } from "../../lifecycle/scope";
import { isObject, type PropertyMap, pick } from "../../values/data";
import { oneOf } from "../../values/schema";
import { Type } from "../../values/schemaBuilders";
import { isUnknown } from "../../values/unknown";
import type { Failure } from "../../values/validate";
import { idleTimeout, replicaMemory } from "../scaling/serviceMembers";

const memory = {
  ...replicaMemory,
  rule: "a multiple of 4 from 8 to 356",
} as const;

const entry = Type.Object(
  {
    /** Name of the schedule entry, by which the provider recognizes it among the service's entries. */
    name: Type.String({ minLength: 1 }),
    /** Days on which the schedule entry begins to apply: 0 is Sunday, 6 Saturday; in any order, at least one. */
    weekdays: Type.Array(Type.Integer({ minimum: 0, maximum: 6 }), {
      minItems: 1,
      uniqueItems: true,
      comparison: "set",
    }),
    /** Hour (UTC) at which the schedule entry begins to apply: 0 to 23. */
    startHourUtc: Type.Integer({ minimum: 0, maximum: 23 }),
    /** Hour (UTC) at which the schedule entry ends: 1 to 24. An hour before `startHourUtc` belongs to the next day. */
    endHourUtc: Type.Integer({ minimum: 1, maximum: 24 }),
    /**
     * How the service scales while the schedule entry applies: by the memory of its replicas (`vertical`), or by the number of
     * replicas of one size (`horizontal`). Default: `vertical`.
     */
    autoscalingMode: Type.Optional(oneOf(enums.autoscalingMode, { notBeside: ["numReplicas"] })),
    /**
     * Minimum memory of a replica in GB while the schedule entry applies: 8 to 356 in steps of 4, with `maxReplicaMemoryGb`.
     * Default: the minimum of the service.
     */
    minReplicaMemoryGb: Type.Optional(Type.Integer(memory)),
    /**
     * Maximum memory of a replica in GB while the schedule entry applies, equal to the minimum if `autoscalingMode` is
     * `horizontal`.
     */
    maxReplicaMemoryGb: Type.Optional(Type.Integer(memory)),
    /**
     * Number of replicas while the schedule entry applies, if it is `vertical`; at least 1. Default: the number of the service.
     */
    numReplicas: Type.Optional(Type.Integer({ minimum: 1, notBeside: ["minReplicas", "autoscalingMode"] })),
    /** Minimum number of replicas while the schedule entry applies, if it is `horizontal`; at least 1, with `maxReplicas`. */
    minReplicas: Type.Optional(Type.Integer({ minimum: 1, notBeside: ["numReplicas"] })),
    /** Maximum number of replicas while the schedule entry applies, if it is `horizontal`. */
    maxReplicas: Type.Optional(Type.Integer({ minimum: 1, notBeside: ["numReplicas"] })),
    /**
     * Whether the service may scale to zero when it is idle while the schedule entry applies. Default: the setting of the
     * service.
     */
    idleScaling: Type.Optional(Type.Boolean()),
    /**
     * Minutes without a query after which the service scales to zero while the schedule entry applies, at least 5. Default: the
     * minutes of the service.
     */
    idleTimeoutMinutes: Type.Optional(Type.Integer(idleTimeout)),
  },
  { additionalProperties: false, identity: ["name"] },
);

/**
 * Inputs of a service's scaling schedule, from the documentation of ClickHouse Cloud, since the API document does not describe
 * it.
 */
export const serviceScalingScheduleInputs = inService({
  /** The schedule's entries: times of the week at which the service scales differently; 1 to 10. */
  entries: Type.Array(entry, { minItems: 1, most: 10 }),
  /**
   * What destroying the resource does if the service had a schedule before the resource: `keep` (default) leaves the schedule
   * as it is, `restore` puts back its former entries. A schedule that the resource created is deleted, unless `keep` is
   * declared.
   */
  onDestroy: Type.Optional(oneOf(["keep", "restore"], { sent: "never" })),
});

export const serviceScalingScheduleOutputs = Type.Object({
  /**
   * Id of the schedule entry that applied when the API answered; absent if none did. It changes by itself and never counts as
   * drift.
   */
  activeEntryId: Type.Optional(Type.String({ volatile: true })),
});

export const serviceScalingScheduleResource: Resource = resourceOf({
  type: "ServiceScalingSchedule",
  noun: "scaling schedule",
  inputs: serviceScalingScheduleInputs,
  outputs: serviceScalingScheduleOutputs,
  scope: "service",
  operations: {
    create: "putScalingSchedule",
    get: "getScalingSchedule",
    update: "putScalingSchedule",
    delete: "deleteScalingSchedule",
  },

  failures: ({ entries }) =>
    [...entriesIn(entries)].flatMap(([item, index]) => entryFailures(item, `entries[${index}]`)),

  warnings: ({ entries }) => {
    const names = [...entriesIn(entries)].map(([{ name }]) => name);
    const twice = names.find((name, at) => typeof name === "string" && names.indexOf(name) < at);
    return twice === undefined
      ? []
      : [
          `ServiceScalingSchedule: two entries have the name ${JSON.stringify(twice)}, so a change of one may show at the other`,
        ];
  },

  formOf: (live, declared) => ({
    ...live,
    entries: inOrderOf(
      declared.entries,
      [...entriesIn(live.entries)].map(([item]) => item),
    ),
  }),
});

function* entriesIn(entries: unknown): Generator<[PropertyMap, number]> {
  if (!Array.isArray(entries)) return;
  for (const [index, item] of entries.entries()) if (isObject(item)) yield [item, index];
}

/**
 * The schedule's entries in an answer, in the form that the program declares. They also get the order of the program, if they
 * have the same names as the declared entries.
 */
function inOrderOf(declared: unknown, live: readonly PropertyMap[]): PropertyMap[] {
  const declaredEntries = [...entriesIn(declared)].map(([item]) => item);
  const left = [...live];
  // If several entries of the schedule have the same name, the declared ones and those in the answer are paired in their order.
  const inOrder = declaredEntries.flatMap((item) => {
    const at = left.findIndex(({ name }) => name === item.name);
    return at < 0 ? [] : left.splice(at, 1).map((found) => entryIn(found, item));
  });
  if (inOrder.length === declaredEntries.length && left.length === 0) return inOrder;
  return live.map((item) => entryIn(item, declaredEntries.find(({ name }) => name === item.name) ?? {}));
}

/**
 * An entry of the schedule in an answer, in the form that the program declares: answers show a fixed number of replicas as a
 * range with equal ends, and always show the mode.
 */
function entryIn(live: PropertyMap, declared: PropertyMap): PropertyMap {
  const { minReplicas, maxReplicas, autoscalingMode, ...members } = pick(live, Object.keys(entry.properties));
  const isVertical = autoscalingMode === "vertical";
  const isCount = isVertical && minReplicas !== undefined && minReplicas === maxReplicas;
  const isRange = !isCount || "minReplicas" in declared;
  return {
    ...members,
    ...(isVertical && !("autoscalingMode" in declared) ? {} : pick(live, ["autoscalingMode"])),
    ...(isRange ? pick(live, ["minReplicas", "maxReplicas"]) : { numReplicas: minReplicas }),
  };
}

function entryFailures(item: PropertyMap, path: string): Failure[] {
  const fail = (member: string, message: string): Failure => ({ path: `${path}.${member}`, message });
  const { startHourUtc, endHourUtc, autoscalingMode, numReplicas } = item;
  if (Object.values(item).some(isUnknown)) return [];
  const isHorizontal = autoscalingMode === "horizontal";
  const pairs = [
    ["minReplicaMemoryGb", "maxReplicaMemoryGb"],
    ["minReplicas", "maxReplicas"],
  ] as const;
  const ofPairs = pairs.flatMap(([least, most]) => {
    const [low, high] = [item[least], item[most]];
    if (low === undefined && high === undefined) return [];
    if (low === undefined || high === undefined)
      return [
        fail(
          low === undefined ? least : most,
          `is required if ${low === undefined ? most : least} is declared`,
        ),
      ];
    return Number(low) > Number(high) ? [fail(least, `must be at most ${most}`)] : [];
  });
  if (ofPairs.length > 0) return ofPairs;
  return [
    ...(startHourUtc === endHourUtc ? [fail("endHourUtc", "must differ from startHourUtc")] : []),
    ...(isHorizontal && item.minReplicaMemoryGb === undefined
      ? [fail("minReplicaMemoryGb", "is required for horizontal scaling, with an equal maxReplicaMemoryGb")]
      : []),
    ...(isHorizontal && item.minReplicaMemoryGb !== item.maxReplicaMemoryGb
      ? [fail("maxReplicaMemoryGb", "must equal minReplicaMemoryGb for horizontal scaling")]
      : []),
    ...(numReplicas !== undefined && isHorizontal
      ? [fail("numReplicas", "is for vertical scaling; declare minReplicas and maxReplicas")]
      : []),
    ...(numReplicas !== undefined && item.minReplicas !== undefined
      ? [
          fail(
            "numReplicas",
            "conflicts with minReplicas and maxReplicas; declare either numReplicas or these two",
          ),
        ]
      : []),
    ...(!isHorizontal && item.minReplicas !== item.maxReplicas
      ? [fail("maxReplicas", "must equal minReplicas for vertical scaling; declare numReplicas")]
      : []),
  ];
}
