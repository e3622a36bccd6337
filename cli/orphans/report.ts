import { isSingleton } from "../../provider/lifecycle/definition";
import { resources } from "../../provider/resources/registry";
import { momentIn } from "../../provider/values/data";
import { printableLine } from "../../provider/values/printable";
import { counted } from "../../provider/values/wording";
import { table } from "../shared/table";
import type { Orphan } from "./findOrphans";

export interface OrphanScope {
  readonly organizationId: string | null;
  readonly serviceId: string | null;
  /** The names of the Pulumi states, as the user gave them (stacks or files). */
  readonly states: readonly string[];
}

export function orphansReport(
  orphans: readonly Orphan[],
  { serviceId, states }: OrphanScope,
  now: Date,
): string {
  const place = serviceId === null ? "the server" : `service ${serviceId}`;
  const stateNames = states.join(", ");
  if (orphans.length === 0)
    return printableLine(`No orphans: every object found on ${place} is in ${stateNames}.`);
  const rows = orphans.map(({ type, id, name, createdAt, usedAt }) => [
    type,
    id,
    name === null ? "(none)" : JSON.stringify(name),
    createdAt === null ? "(not shown)" : timeAndAge(createdAt, now),
    usedAt === null ? "" : timeAndAge(usedAt, now),
  ]);
  const width = rows.some(([, , , , used]) => used !== "") ? 5 : 4;
  const cells = [["TYPE", "ID", "NAME", "CREATED", "LAST USED"], ...rows].map((row) => row.slice(0, width));
  const keptOrphans = orphans.filter((orphan) => orphan.kept !== null);
  const hasEndpoint = orphans.some(({ type }) => isSingleton(resources[type]));
  return [
    table(cells, 48),
    "",
    ...keptOrphans.map((orphan) => `--delete keeps ${titleOf(orphan)}: ${printableLine(orphan.kept ?? "")}.`),
    printableLine(`${counted(orphans.length, "object")} on ${place} missing from ${stateNames}.`),
    `To adopt one, declare it with adoptId: "<id>"${hasEndpoint ? " (a query endpoint: just declare it)" : ""}.`,
    "After a killed update: npx pipestack orphans --recover. To delete: npx pipestack orphans --delete.",
  ].join("\n");
}

function timeAndAge(time: string, now: Date): string {
  const passed = now.getTime() - momentIn(time);
  return Number.isNaN(passed) ? time : `${time.slice(0, 16).replace("T", " ")} (${lengthOf(passed)})`;
}

/** A duration in the largest unit of which it has at least one, such as `3 days`. */
function lengthOf(milliseconds: number): string {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000));
  if (minutes < 60) return counted(minutes, "minute");
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? counted(hours, "hour") : counted(Math.floor(hours / 24), "day");
}

export function titleOf({ type, id, name }: Orphan): string {
  return printableLine(name === null ? `${type} ${id}` : `${type} ${id} ${JSON.stringify(name)}`);
}
