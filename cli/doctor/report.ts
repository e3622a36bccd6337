import { counted } from "../../provider/values/wording";
import { table } from "../shared/table";
import type { Answering, Examination, Finding } from "./examination";
import type { GoneReference } from "./goneReferences";
import type { Right, Rights } from "./rights";
import type { SettingInUse } from "./settingsInUse";

/** Maximum number of characters of a cell in the tables of `pipestack doctor`. `--json` shows the whole texts. */
const longest = 100;

/** Maximum number of characters of a message in the last column, whose end says what to do. */
const longestMessage = 1000;

const tableOf = (rows: readonly (readonly string[])[]) => table(rows, longest, longestMessage);

/** Sums up in a sentence, without its full stop, which objects `pipestack doctor` can read. */
export function summaryOf({ apis, findings }: Examination, lacking: readonly Right[] = []): string {
  const idle = findings.filter(({ outcome }) => outcome === "idle").length;
  const unread = findings.filter(({ outcome }) => outcome !== "readable").length - idle;
  const kinds = counted(findings.length, "kind");
  if (unread > 0) return `${unread} of ${kinds} of objects cannot be read`;
  if (lacking.length > 0)
    return `the key lacks ${counted(lacking.length, "permission")} that the stack needs`;
  const problem = apis.find(({ problem }) => problem !== undefined)?.problem;
  if (problem !== undefined || idle === 0) return problem ?? `all ${kinds} of objects can be read`;
  return `all kinds of objects can be read but ${idle} of ${findings.length}, whose service does not run`;
}

export function doctorReport(
  settings: readonly SettingInUse[],
  { apis, findings }: Examination,
  references: readonly GoneReference[],
  rights?: Rights,
): string {
  return [
    tableOf([["SETTING", "VALUE", "FROM"], ...settings.map(settingRow)]),
    ...(apis.length === 0 ? [] : ["", tableOf([["API", "ADDRESS", "ANSWERS"], ...apis.map(apiRow)])]),
    "",
    tableOf([["OBJECTS OF", "API", "CAN BE READ"], ...findings.map(findingRow)]),
    ...(references.length === 0
      ? []
      : ["", tableOf([["OBJECT", "REFERS TO", "WHICH IS GONE"], ...references.map(referenceRow)])]),
    ...(rights ? rightsReport(rights) : []),
  ].join("\n");
}

function settingRow({ name, value, from }: SettingInUse): readonly string[] {
  return [name, from === null ? "(missing)" : (value ?? "(set)"), from ?? ""];
}

function apiRow({ api, address, problem, isUsed, ...greeting }: Answering): readonly string[] {
  const key = greeting.key === undefined ? [] : [`key ${JSON.stringify(greeting.key)}`];
  const owner = greeting.organizationId === undefined ? [] : [`of organization ${greeting.organizationId}`];
  const version = greeting.version === undefined ? [] : [`version ${greeting.version}`];
  const words = [...key, ...owner, ...version].join(" ");
  const answer = words === "" ? (isUsed ? "yes" : "(not used)") : `yes: ${words}`;
  return [api, address, problem === undefined ? answer : `no: ${problem}`];
}

function findingRow({ name, api, outcome, request, count = 0, lacks = "" }: Finding): readonly string[] {
  const words = {
    readable: `yes (${count})`,
    settings: `no: set ${lacks}`,
    permission: `no: needs ${lacks}`,
    route: `no: the server has no route ${request}`,
    idle: "not now: the service does not run, and shows them only while it does",
    failed: `no: ${lacks}`,
    skipped: "not asked for",
  };
  return [name, api, words[outcome]];
}

/** A table of the rights that the key has by its roles, with a row for each permission that the stack needs. */
function rightsReport({ roles, permissions, problem }: Rights): readonly string[] {
  const words = { yes: "yes", no: "no", unknown: "not known" };
  const rows = permissions.map(({ permission, neededFor, isGiven }) => [
    permission,
    neededFor.join(", "),
    words[isGiven],
  ]);
  const names = roles && (roles.map((name) => JSON.stringify(name)).join(", ") || "(none)");
  const title =
    names === null ? `The roles of the key are not known: ${problem}` : `Roles of the key: ${names}`;
  return [
    ...["", title],
    ...(rows.length > 0 ? ["", tableOf([["PERMISSION", "NEEDED FOR", "THE KEY HAS IT"], ...rows])] : []),
  ];
}

function referenceRow({ type, name, missing, missingId }: GoneReference): readonly string[] {
  return [`${type} ${name}`, missing, missingId];
}
