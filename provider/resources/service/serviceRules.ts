import type { Data } from "../../values/data";
import { isThereTwice, repeatedEntries } from "../../values/memberRules";
import type { Failure } from "../../values/validate";
import { addressFailures } from "../apiKey/apiKeyRules";
import { scalingConflicts } from "../serviceScaling/scalingRules";
import { entriesIn, sourceKey, tagKey } from "./serviceChange";

export function serviceFailures(declared: Data, olds: Data | undefined): Failure[] {
  return [
    ...addressFailures(declared.ipAccessList),
    ...doubles(declared, "ipAccessList", "source", sourceKey),
    ...doubles(declared, "tags", "key", tagKey),
    ...scalingConflicts(declared, olds),
    ...needed(declared),
    ...varyingReplicas(declared),
  ];
}

/** A service scales vertically, unless the program declares horizontal scaling. */
function varyingReplicas({ autoscalingMode, minReplicas, maxReplicas }: Data): Failure[] {
  if (autoscalingMode !== undefined || minReplicas === maxReplicas) return [];
  if (minReplicas === undefined || maxReplicas === undefined) return [];
  return [
    { path: "autoscalingMode", message: "is missing: minReplicas and maxReplicas need it to be horizontal" },
  ];
}

const needs: readonly (readonly [member: string, needed: string])[] = [
  ["isReadonly", "dataWarehouseId"],
  ["transparentDataEncryptionKeyId", "hasTransparentDataEncryption"],
  ["backupEncryptionConfig", "backupId"],
  ["byocId", "minReplicaMemoryGb"],
  ["byocId", "maxReplicaMemoryGb"],
];

function needed(declared: Data): Failure[] {
  return needs.flatMap(([member, needed]) =>
    declared[member] && declared[needed] === undefined
      ? [{ path: needed, message: `is missing: ${member} needs it` }]
      : [],
  );
}

/**
 * The failures for two entries with the same key in one list of a service, such as its tags. The provider recognizes an entry
 * by the key.
 */
function doubles(declared: Data, list: string, member: string, keyOf: (entry: Data) => string): Failure[] {
  const entries = entriesIn(declared, list);
  const keys = entries.map((entry) => (typeof entry?.[member] === "string" ? keyOf(entry) : undefined));
  return repeatedEntries(keys, (index) =>
    isThereTwice(`${list}[${index}].${member}`, entries[index]?.[member]),
  );
}

export function serviceWarnings(declared: Data): string[] {
  const { ipAccessList, desiredState, backupId, adoptId, dataWarehouseId, releaseChannel } = declared;
  const open = entriesIn({ ipAccessList }, "ipAccessList").filter((entry) =>
    /^(0\.0\.0\.0|::)\/0$/.test(String(entry?.source)),
  );
  return [
    ...(Array.isArray(ipAccessList) && ipAccessList.length === 0
      ? ["Service: ipAccessList: [] lets nobody in"]
      : []),
    ...open.map(({ source }) => `Service: ipAccessList lets everybody in (${source})`),
    ...(dataWarehouseId && releaseChannel
      ? ["Service: releaseChannel is that of the whole warehouse; declare it in the first service alone"]
      : []),
    ...(adoptId && backupId ? ["Service: backupId has no effect on a service that is taken over"] : []),
    ...(desiredState === "stopped" && backupId
      ? ["Service: the service is filled with its backup first, and stopped then"]
      : []),
  ];
}
