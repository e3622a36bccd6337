import { isIPv4 } from "node:net";
import { equal } from "../../values/compare";
import type { PropertyMap } from "../../values/data";
import { isThereTwice, repeatedEntries } from "../../values/memberRules";
import { isEverywhere, networkOf } from "../../values/network";
import { schemaAt } from "../../values/schema";
import { containsUnknown } from "../../values/unknown";
import { type Failure, notText } from "../../values/validate";
import { emptyListWarnings } from "../access/openAddresses";
import { entriesIn } from "../access/ownedLists";
import { ipv4Rule, postgresServiceInputs } from "./postgresInputs";

/** The inputs whose values a new Postgres service has from the one from which it is made. */
const inherited = {
  readReplicaOf: [
    ...(["provider", "region", "size", "postgresVersion", "haType", "ipAccessList"] as const),
    ...(["password", "passwordKeepers"] as const),
  ],
  restoreOf: ["provider", "region", "postgresVersion"],
} as const;

/**
 * Checks rules across the inputs of a Postgres service.
 * @param olds the inputs in the Pulumi state, absent for a new resource
 */
export function postgresFailures(declared: PropertyMap, olds: PropertyMap | undefined): Failure[] {
  return [...origins(declared, olds), ...addresses(declared), ...doubledTags(declared)];
}

function origins(declared: PropertyMap, olds: PropertyMap | undefined): Failure[] {
  const { readReplicaOf, restoreOf, restoreTarget, adoptId } = declared;
  const failures: Failure[] = [];
  const isNew = olds === undefined && adoptId === undefined;
  if (readReplicaOf !== undefined && restoreOf !== undefined)
    failures.push({
      path: "restoreOf",
      message: "must be left out: a read replica has the data of its parent",
    });
  if ((restoreOf === undefined) !== (restoreTarget === undefined))
    failures.push({
      path: restoreOf === undefined ? "restoreOf" : "restoreTarget",
      message: `is missing: ${restoreOf === undefined ? "restoreTarget" : "restoreOf"} needs it`,
    });
  if (isNew && readReplicaOf === undefined && restoreOf === undefined)
    for (const path of ["provider", "region", "size"])
      if (declared[path] === undefined)
        failures.push({ path, message: "is required, but for a read replica or a restored service" });
  const isKnownReplica = readReplicaOf !== undefined && olds?.readReplicaOf === readReplicaOf;
  const isKnown = (name: string) => isKnownReplica && olds[name] !== undefined;
  const ofParent = inherited.readReplicaOf.filter((name) => !isKnown(name));
  if (readReplicaOf !== undefined)
    failures.push(...leftOut(declared, ofParent, "a read replica has that of its parent"));
  else if (isNew && restoreOf !== undefined)
    failures.push(...leftOut(declared, inherited.restoreOf, "a restored service has that of the other one"));
  if (isKnownReplica)
    for (const path of ["name", "tags"].filter((name) => !containsUnknown(declared[name])))
      if (!equal(schemaAt(postgresServiceInputs, path), declared[path], olds[path]))
        failures.push({
          path,
          message: `must stay as it is: the service changes nothing but parameters of a read replica`,
        });
  return failures;
}

const leftOut = (declared: PropertyMap, names: readonly string[], why: string): Failure[] =>
  names
    .filter((name) => declared[name] !== undefined)
    .map((path) => ({ path, message: `must be left out: ${why}` }));

function addresses(declared: PropertyMap): Failure[] {
  const entries = entriesIn(declared, "ipAccessList");
  const texts = entries.map(({ source, portRange }) =>
    typeof source === "string" && typeof portRange === "string"
      ? `${networkOf(source)} ${portRange}`
      : undefined,
  );
  return [
    ...entries.flatMap(({ source, portRange }, index) => [
      ...(typeof source === "string" && !isNetwork(source)
        ? [{ path: `ipAccessList[${index}].source`, message: `must be ${ipv4Rule}`, ...notText(source) }]
        : []),
      ...(typeof portRange === "string" && !isRange(portRange)
        ? [
            {
              path: `ipAccessList[${index}].portRange`,
              message: "must be ports from 1 to 65535, the lower first",
            },
          ]
        : []),
    ]),
    ...repeatedEntries(texts, (index) =>
      isThereTwice(`ipAccessList[${index}].source`, entries[index]?.source),
    ),
  ];
}

function isNetwork(source: string): boolean {
  const [address = "", prefix = "32", ...further] = source.split("/");
  return isIPv4(address) && further.length === 0 && /^\d{1,2}$/.test(prefix) && Number(prefix) <= 32;
}

function isRange(portRange: string): boolean {
  const [first = 0, last = first] = portRange.split("..").map(Number);
  return first >= 1 && first <= last && last <= 65535;
}

function doubledTags(declared: PropertyMap): Failure[] {
  const keys = entriesIn(declared, "tags").map(({ key }) => (typeof key === "string" ? key : undefined));
  return repeatedEntries(keys, (index) => isThereTwice(`tags[${index}].key`, keys[index]));
}

/** @param olds the inputs in the Pulumi state, absent for a new resource */
export function postgresWarnings(declared: PropertyMap, olds: PropertyMap | undefined): string[] {
  const { adoptId, readReplicaOf, restoreOf } = declared;
  const everywhere = entriesIn(declared, "ipAccessList").filter(
    ({ source }) => typeof source === "string" && isEverywhere(source),
  );
  const isMade = readReplicaOf !== undefined || restoreOf !== undefined;
  return [
    ...emptyListWarnings("PostgresService", declared, olds),
    ...everywhere.map(({ source }) => `PostgresService: ipAccessList lets everybody in (${source})`),
    ...(adoptId !== undefined && isMade
      ? ["PostgresService: readReplicaOf and restoreOf have no effect on a service that is taken over"]
      : []),
  ];
}
