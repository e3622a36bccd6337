import { isObject, type PropertyMap } from "../../values/data";
import { isUnknown } from "../../values/unknown";
import type { Failure } from "../../values/validate";
import type { Source } from "./kinds";

/** A rule for one kind of pipe source: the failures for its properties, by their paths within the source. */
type Rule = (members: PropertyMap) => readonly (readonly [path: string, message: string] | false)[];

const isMissing = (members: PropertyMap, name: string) => members[name] === undefined;
const missing = (name: string, why: string) => [name, `is missing: ${why} needs it`] as const;
/** The properties of a nested object in a pipe's inputs; none if the object is absent, or unknown in a preview. */
export const inside = (members: PropertyMap, name: string): PropertyMap =>
  isObject(members[name]) ? (members[name] as PropertyMap) : {};

const role: Rule = (members) => [
  members.authentication === "IAM_ROLE" &&
    isMissing(members, "iamRole") &&
    missing("iamRole", "authentication IAM_ROLE"),
];

const rules: { readonly [kind: string]: readonly Rule[] } = {
  kafka: [
    role,
    (members) => {
      const { strategy, timestamp } = inside(members, "offset");
      return [
        strategy === "from_timestamp" &&
          timestamp === undefined &&
          missing("offset.timestamp", "strategy from_timestamp"),
        typeof strategy === "string" &&
          strategy !== "from_timestamp" &&
          timestamp !== undefined && ["offset.timestamp", "goes with strategy from_timestamp alone"],
      ];
    },
    ({ tombstoneMode, exactlyOnce }) => [
      tombstoneMode === "delete" &&
        !isUnknown(exactlyOnce) &&
        exactlyOnce !== true && ["tombstoneMode", "must not be delete without exactlyOnce"],
    ],
    (members) => registry(inside(members, "schemaRegistry")),
  ],
  kinesis: [
    role,
    (members) => [
      members.iteratorType === "AT_TIMESTAMP" &&
        isMissing(members, "timestamp") &&
        missing("timestamp", "iteratorType AT_TIMESTAMP"),
    ],
  ],
  objectStorage: [role, storage],
  pubsub: [
    (members) => [
      members.seekType === "timestamp" &&
        isMissing(members, "seekTimestamp") &&
        missing("seekTimestamp", "seekType timestamp"),
    ],
  ],
  postgres: [
    role,
    (members) => {
      const { replicationMode, replicationSlotName } = inside(members, "settings");
      return [
        replicationSlotName !== undefined &&
          typeof replicationMode === "string" &&
          replicationMode !== "cdc_only" && [
            "settings.replicationSlotName",
            "goes with replicationMode cdc_only alone",
          ],
      ];
    },
  ],
  mysql: [
    role,
    (members) => [
      (members.type === "mariadb" || members.type === "rdsmariadb") &&
        inside(members, "settings").replicationMechanism === "FILE_POS" && [
          "settings.replicationMechanism",
          "must be GTID: MariaDB has no other",
        ],
    ],
  ],
  bigquery: [
    (members) => [
      members.authentication === "SERVICE_ACCOUNT_WORKLOAD_IDENTITY" &&
        isMissing(members, "projectId") &&
        missing("projectId", "authentication SERVICE_ACCOUNT_WORKLOAD_IDENTITY"),
      inside(members, "settings").syncCron !== undefined &&
        inside(members, "settings").syncIntervalSeconds !== undefined && [
          "settings.syncCron",
          "must not be there beside syncIntervalSeconds",
        ],
    ],
  ],
};

function registry(members: PropertyMap): ReturnType<Rule> {
  if (Object.keys(members).length === 0) return [];
  const { type = "confluent" } = members;
  const own = {
    confluent: ["url", "authentication", "caCertificate"],
    glue: ["glueRegion", "glueRegistryName", "glueRoleArn"],
  }[String(type)];
  if (!own) return [];
  const needed = type === "glue" ? own.slice(0, 2) : own.slice(0, 1);
  const foreign = Object.keys(members).filter((name) => name !== "type" && !own.includes(name));
  return [
    ...needed
      .filter((name) => isMissing(members, name))
      .map((name) => missing(`schemaRegistry.${name}`, `a registry of type ${type}`)),
    ...foreign.map(
      (name) => [`schemaRegistry.${name}`, `does not go with a registry of type ${type}`] as const,
    ),
  ];
}

function storage(members: PropertyMap): ReturnType<Rule> {
  const { type, authentication, queueUrl, isContinuous, skipInitialLoad, startAfter } = members;
  const isQueued = queueUrl !== undefined;
  return [
    isQueued &&
      !isUnknown(isContinuous) &&
      isContinuous !== true && ["queueUrl", "needs isContinuous to be true"],
    isQueued &&
      typeof type === "string" &&
      !["s3", "gcs"].includes(type) && ["queueUrl", "goes with type s3 or gcs alone"],
    isQueued && authentication === undefined && missing("authentication", "queueUrl"),
    isQueued &&
      type === "s3" &&
      typeof authentication === "string" &&
      !["IAM_ROLE", "IAM_USER"].includes(authentication) && [
        "authentication",
        "must be IAM_ROLE or IAM_USER: a queue of s3 needs it",
      ],
    skipInitialLoad === true && !isQueued && missing("queueUrl", "skipInitialLoad"),
    skipInitialLoad === true &&
      startAfter !== undefined && ["startAfter", "must not be there beside skipInitialLoad"],
  ];
}

export function sourceFailures({ kind, members }: Source): Failure[] {
  return (rules[kind] ?? []).flatMap((rule) =>
    rule(members).flatMap((found) =>
      found ? [{ path: `source.${kind}.${found[0]}`, message: found[1] }] : [],
    ),
  );
}
