import { roles } from "../../sandbox/core/resources/roles";
import { shownTile } from "../../sandbox/core/resources/tileContents";
import { Answers } from "../../sandbox/core/rewrites";
import type { Declared, Differences } from "../promises/account";
import { kindOf, ofKind } from "../promises/kinds";
import type { Data } from "../promises/store";
import { examples } from "../unit/resources/examples";
import type { TypeName } from "./draws";
import { referencesIn } from "./program";
import { type Behaviour, rewritesOf } from "./world/behaviour";
import { sourceId } from "./world/contents";
import { stored } from "./world/habits";

/** Lists the declared properties whose stored values differ from the values that the simulated service would store for them. */
export function differencesOf({ type, args }: Declared, found: Data, behaviour: Behaviour): Differences {
  const { adoptId: _, keepers: __, onDestroy: ___, ...sent } = args;
  const declared = examples[type as Exclude<TypeName, "AlertSet">].asDeclared?.(found) ?? found;
  const record = type === "ApiKey" ? withRoleIds(declared) : declared;
  const wanted = stored(sent, behaviour);
  const hidden = hiddenOf(type, record);
  const isEqual = (member: string, value: unknown) => {
    if (type === "Dashboard" && member === "tiles") return isOneOf(value as Data[], found, behaviour);
    if (member === "chartConfig") return has(record[member], value);
    if (type === "QueryEndpoint" && member === "openApiKeys") return true;
    // The service copies `displayName` and `tags` from the search or tile that an alert watches into its answers, but
    // does not store them.
    if (type === "Alert" && ["displayName", "tags"].includes(member) && record[member] === undefined)
      return true;
    return canonical(member, value) === canonical(member, record[member]);
  };
  return {
    shown: Object.keys(sent).filter(
      (member) =>
        !hidden.includes(member) &&
        referencesIn(wanted[member]).length === 0 &&
        !isEqual(member, wanted[member]),
    ),
    hidden: hidden.filter(
      (member) =>
        args[member] !== undefined && inOneOrder(args[member]) !== inOneOrder(record[member] ?? null),
    ),
  };
}

function withRoleIds(key: Data): Data {
  const { roles: names, assignedRoles } = key as { roles: string[]; assignedRoles?: { roleId: string }[] };
  const ofNames = roles.seed().filter(({ name, type }) => type === "system" && names.includes(name));
  return {
    ...key,
    assignedRoleIds: assignedRoles?.map(({ roleId }) => roleId) ?? ofNames.map(({ id }) => id),
  };
}

function hiddenOf(type: string, { service }: Data): readonly string[] {
  const { hidden = [] } = ofKind(kindOf(type));
  return type === "Webhook" && service !== "generic" ? [...hidden, "body"] : hidden;
}

/**
 * Returns whether a dashboard in the simulated service has the declared tiles, either as they were sent or, after an import, in
 * the form of an answer.
 */
function isOneOf(wanted: readonly Data[], record: Data, behaviour: Behaviour): boolean {
  // Imports convert numbers that arrive as text, so the comparison leaves out the service's rewrite of numbers to text.
  const rewrites = rewritesOf(behaviour).filter((name) => name !== "numbersAsStrings");
  const answers = new Answers(() => sourceId, new Set(rewrites));
  const shown = answers.show("dashboard", record) as Data;
  const isOfProduct = behaviour.dialect === "clickhouse";
  const asStored = wanted.map((tile) =>
    isOfProduct && tile.series !== undefined ? shownTile(tile as never) : tile,
  );
  return [record, shown].some(({ tiles }) => areSameTiles(asStored as unknown as Data[], tiles as Data[]));
}

/** Returns one text for all values of a property that mean the same to the simulated service. */
function canonical(member: string, value: unknown): string {
  switch (member) {
    case "allowedOrigins": {
      const entries = Array.isArray(value) ? value : String(value ?? "").split(",");
      const trimmed = entries.map((entry) => String(entry).trim());
      return JSON.stringify(trimmed.filter(Boolean).sort());
    }
    case "expireAt":
      return String(value ? Date.parse(String(value)) : null);
    case "tags":
    case "roles":
    case "assignedRoleIds":
      return JSON.stringify([...((value ?? []) as string[])].sort());
    case "ipAccessList":
      return inOneOrder(value ?? []);
    case "isPrometheusEndpoint":
      return String(value ?? false);
    default:
      return inOneOrder(value ?? null);
  }
}

/** Returns a value as JSON with sorted properties, since the plugin protocol changes their order. */
function inOneOrder(value: unknown): string {
  return JSON.stringify(value, (_name, member) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}

function areSameTiles(wanted: readonly Data[], found: readonly Data[]): boolean {
  const form = ({ name, x, y, w, h }: Data) => JSON.stringify([name, x, y, w, h]);
  const sorted = (tiles: readonly Data[]) =>
    [...tiles].sort((one, other) => form(one).localeCompare(form(other)));
  const others = sorted(found);
  return (
    wanted.length === found.length &&
    sorted(wanted).every((tile, index) => {
      const { id: _, ...shown } = tile;
      return has({ asRatio: false, ...others[index] }, shown);
    })
  );
}

function has(found: unknown, wanted: unknown): boolean {
  if (typeof wanted !== "object" || wanted === null) return found === wanted;
  // The simulated service may omit an empty list, so the comparison treats an absent list as equal.
  if (Array.isArray(wanted) && wanted.length === 0) return ((found ?? []) as unknown[]).length === 0;
  if (typeof found !== "object" || found === null) return false;
  if (Array.isArray(wanted) && wanted.length !== (found as unknown[]).length) return false;
  return Object.entries(wanted).every(([name, value]) => has((found as Data)[name], value));
}
