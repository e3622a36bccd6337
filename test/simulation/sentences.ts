import type { Run } from "./actors/stack";
import { type Edit, isReference } from "./program";
import type { Account } from "./simulate";
import { clock } from "./trace";
import { describeBehaviour } from "./world/behaviour";
import { describeFault } from "./world/faults";

/** Describes in sentences what happened in a simulated history, for the report of a failure. */
export function sentencesOf(account: Account): string[] {
  const { history, runs, orphans, deeds } = account;
  const events = [
    ...runs.map((run) => ({ at: run.startedAt, text: sentenceOf(run, account) })),
    ...orphans.map(({ startedAt, step, found = [], messages }) => ({
      at: startedAt,
      text: [
        `Somebody runs pipestack orphans${step.deletes ? " --delete" : ""}, which lists: ${found.map(({ type, id, deleted }) => `${type} ${id}${deleted ? " (deleted)" : ""}`).join(", ") || "nothing"}.`,
        ...messages.map((message) => `\n      It says: ${message.replaceAll("\n", " / ")}`),
      ].join(" "),
    })),
    ...deeds.map(({ at, deed }) => ({ at, text: `Somebody ${deed}.` })),
  ];
  return [
    `${describeBehaviour(history.behaviour)} ${history.maxRetries} retries. Others have made: ${history.world?.join(", ") || "nothing"}.`,
    ...events.sort((one, other) => one.at - other.at).map(({ at, text }) => `${clock(at)} s: ${text}`),
  ];
}

function sentenceOf(run: Run, { wire }: Account): string {
  const { step, outcome, messages, wasKilled } = run;
  const edits = step.edits.map(describeEdit);
  const faults = wire
    .filter(({ caller, fault }) => caller.step === step.number && fault !== undefined)
    .map(
      ({ method, path, fault, key }) =>
        `${key} ${method} ${path.split("/").slice(-2).join("/")}: ${fault && describeFault(fault)}`,
    );
  const done = outcome.operations
    .filter(({ op }) => op !== "same" && op !== "read")
    .map(({ op, name, type }) => `${op}s ${type} ${name}`);
  const parts = [
    ...(edits.length > 0 ? [`The program of stack ${step.actor} changes: ${edits.join(", ")}.`] : []),
    `Stack ${step.actor} (step ${step.number}): ${step.command}${step.targets ? " with targets" : ""}${wasKilled ? `, killed after ${step.killedAfter} ms` : ""}.`,
    ...faults.map((fault) => `\n      [${fault}]`),
    ...(done.length > 0 ? [`\n      It ${done.join(", ")}.`] : []),
    ...(outcome.gone.length > 0
      ? [`\n      It takes for gone: ${outcome.gone.map(({ name }) => name).join(", ")}.`]
      : []),
    ...(outcome.differing.length > 0 ? [`\n      Different: ${outcome.differing.join(", ")}.`] : []),
    ...messages.map((message) => `\n      It says: ${message.replaceAll("\n", " / ")}`),
  ];
  return parts.join(" ");
}

function describeEdit({ edit, ...details }: Edit): string {
  return `${edit} ${shownValue(details)}`;
}

function shownValue(value: unknown): string {
  return JSON.stringify(value, (_name, member) =>
    isReference(member)
      ? `<${member.ref}${member.tile === undefined ? "" : ` tile ${member.tile}`}>`
      : member,
  );
}
