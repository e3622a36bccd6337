import type { PropertyMap } from "../../values/data";
import { isThereTwice, repeatedEntries } from "../../values/memberRules";
import { isEverywhere, networkOf } from "../../values/network";
import type { Failure } from "../../values/validate";
import { addressFailures } from "../access/addresses";
import { emptyListWarnings } from "../access/openAddresses";
import { entriesIn, type ListName } from "../access/ownedLists";
import { scalingConflicts } from "../scaling/scalingRules";

export function serviceFailures(declared: PropertyMap, olds: PropertyMap | undefined): Failure[] {
  return [
    ...addressFailures(declared.ipAccessList),
    ...doubles(declared, "ipAccessList", "source", withoutLength),
    ...doubles(declared, "tags", "key", String),
    ...scalingConflicts(declared, olds),
    ...needed(declared),
    ...varyingReplicas(declared),
    ...foreignRegion(declared),
    ...sharedPassword(declared, olds),
  ];
}

/** A service scales vertically, unless the program declares horizontal scaling. */
function varyingReplicas({ autoscalingMode, minReplicas, maxReplicas }: PropertyMap): Failure[] {
  if (autoscalingMode !== undefined || minReplicas === maxReplicas) return [];
  if (minReplicas === undefined || maxReplicas === undefined) return [];
  return [
    { path: "autoscalingMode", message: "is missing: minReplicas and maxReplicas need it to be horizontal" },
  ];
}

/** The regions of each cloud that this version knows. The service may have newer ones. */
const regions: { readonly [provider: string]: readonly string[] } = {
  aws: [
    ...["ap-northeast-1", "ap-northeast-2", "ap-south-1", "ap-southeast-1", "ap-southeast-2", "ca-central-1"],
    ...["eu-central-1", "eu-west-1", "eu-west-2", "il-central-1", "us-east-1", "us-east-2", "us-west-2"],
  ],
  gcp: ["asia-northeast1", "asia-southeast1", "europe-west2", "europe-west4", "us-central1", "us-east1"],
  azure: ["centralus", "eastus", "eastus2", "germanywestcentral", "westus3"],
};

/** The cloud that has a region; undefined for one that this version does not know. */
const cloudOf = (region: unknown) =>
  Object.keys(regions).find((provider) => regions[provider]?.includes(String(region)));

function foreignRegion({ provider, region }: PropertyMap): Failure[] {
  const cloud = cloudOf(region);
  if (cloud === undefined || cloud === provider || typeof provider !== "string") return [];
  return [{ path: "region", message: `must be a region of ${provider}: ${region} is one of ${cloud}` }];
}

/** A service that joins a warehouse has the password of the primary service, which may declare its own warehouse. */
function sharedPassword(
  { password, dataWarehouseId, adoptId }: PropertyMap,
  olds: PropertyMap | undefined,
): Failure[] {
  if (password === undefined || dataWarehouseId === undefined || adoptId !== undefined || olds) return [];
  return [
    {
      path: "password",
      message: "must be left out: a service that joins a warehouse has the password of the primary service",
    },
  ];
}

/**
 * What a password lacks to be one that ClickHouse Cloud's own pages take. Its API gets hashes alone, and so checks none.
 * @see "CREATE USER" in the documents of ClickHouse
 */
function weaknessOf(password: unknown): string | undefined {
  if (typeof password !== "string") return undefined;
  const lacking = [
    password.length < 12 && "12 characters",
    !/[A-Z]/.test(password) && "a capital letter",
    !/[a-z]/.test(password) && "a small letter",
    !/\d/.test(password) && "a digit",
    !/[^A-Za-z0-9]/.test(password) && "a special character",
  ].filter((part) => part !== false);
  return lacking.length > 0 ? lacking.join(", ") : undefined;
}

const needs: readonly (readonly [member: string, needed: string])[] = [
  ["isReadonly", "dataWarehouseId"],
  ["transparentDataEncryptionKeyId", "hasTransparentDataEncryption"],
  ["backupEncryptionConfig", "backupId"],
  ["byocId", "minReplicaMemoryGb"],
  ["byocId", "maxReplicaMemoryGb"],
];

function needed(declared: PropertyMap): Failure[] {
  return needs.flatMap(([member, needed]) =>
    declared[member] && declared[needed] === undefined
      ? [{ path: needed, message: `is missing: ${member} needs it` }]
      : [],
  );
}

/** The text of an address, which may also be written as a range of one address. */
const withoutLength = (source: string) =>
  source.toLowerCase().replace(source.includes(":") ? /\/128$/ : /\/32$/, "");

/** The failures for two entries with the same key in one list of a service, such as its tags. */
function doubles(
  declared: PropertyMap,
  list: ListName,
  member: string,
  keyOf: (text: string) => string,
): Failure[] {
  const texts = entriesIn(declared, list).map((entry) => entry?.[member]);
  const keys = texts.map((text) => (typeof text === "string" ? keyOf(text) : undefined));
  return repeatedEntries(keys, (index) => isThereTwice(`${list}[${index}].${member}`, texts[index]));
}

export function serviceWarnings(declared: PropertyMap, olds: PropertyMap | undefined): string[] {
  const { desiredState, backupId, adoptId, dataWarehouseId, releaseChannel } = declared;
  const { provider, region, password } = declared;
  const weakness = password === olds?.password ? undefined : weaknessOf(password);
  const sources = entriesIn(declared, "ipAccessList").flatMap((entry): readonly string[] =>
    typeof entry?.source === "string" ? [entry.source] : [],
  );
  // An address that is there twice in one form is refused.
  const isInOtherForm = (source: string) => (other: string) =>
    networkOf(other) === networkOf(source) && withoutLength(other) !== withoutLength(source);
  const repeated = sources.filter((source, index) => sources.slice(0, index).some(isInOtherForm(source)));
  return [
    ...emptyListWarnings("Service", declared, olds),
    ...sources.filter(isEverywhere).map((source) => `Service: ipAccessList lets everybody in (${source})`),
    ...repeated.map(
      (source) =>
        `Service: ipAccessList has the network of ${source} twice, in two forms; remove one of them, since the service may keep one alone`,
    ),
    ...(typeof region === "string" && region !== olds?.region && cloudOf(region) === undefined
      ? [`Service: ${region} is no region of ${provider} that this version knows; the service may know it`]
      : []),
    ...(weakness
      ? [
          `Service: password lacks ${weakness}: ClickHouse Cloud asks for that ("CREATE USER" in its documents), and cannot check it here, since only hashes are sent`,
        ]
      : []),
    ...(dataWarehouseId && releaseChannel
      ? ["Service: releaseChannel is that of the whole warehouse; declare it in the first service alone"]
      : []),
    ...(adoptId && backupId ? ["Service: backupId has no effect on a service that is taken over"] : []),
    ...(desiredState === "stopped" && backupId
      ? ["Service: the service is filled with its backup first, and stopped then"]
      : []),
  ];
}
