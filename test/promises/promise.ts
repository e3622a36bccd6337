import type { Account, Declared, Request, Run } from "./account";
import type { Commit } from "./store";

/** Something that holds whatever goes wrong. */
export interface Promised {
  readonly name: string;
  /** For users. */
  readonly sentence: string;
  /** Without these parts an account is not judged by it. */
  readonly needs: readonly (keyof Account)[];
  broken(account: Account): readonly Broken[];
}

/** Where a promise was broken. */
export interface Broken {
  /** What happened, in a sentence. */
  readonly what: string;
  /** Number of the step in which it was seen. */
  readonly step?: number;
}

/** A broken promise, with its name. */
export interface Violation extends Broken {
  readonly promise: string;
}

export function promise<Part extends keyof Account = never>(
  name: string,
  sentence: string,
  needs: readonly Part[],
  broken: (account: Account & Required<Pick<Account, Part>>) => readonly Broken[],
): Promised {
  return { name, sentence, needs, broken: broken as Promised["broken"] };
}

/** Where an account breaks these promises, of those that it can be judged by. */
export function violationsIn(account: Account, promises: readonly Promised[]): Violation[] {
  return promises
    .filter(({ needs }) => needs.every((part) => account[part] !== undefined))
    .flatMap(({ name, broken }) => broken(account).map((each) => ({ promise: name, ...each })));
}

/** The command in which somebody changed something. */
export function runOf({ runs }: Account, { step }: { readonly step: number }): Run | undefined {
  return runs.find((run) => run.step.number === step);
}

/** The requests of a step to which a fault happened. */
export function faultedIn({ wire = [] }: Account, step: number): Request[] {
  return wire.filter(({ caller, fault }) => caller.step === step && fault !== undefined);
}

/** The failed request that was carried out later, and so led to a change, unless the creation was answered to another one. */
export function lateRequestOf({ wire = [] }: Account, { at, step, id, before }: Commit): Request | undefined {
  const isAnswered =
    before === undefined &&
    wire.some(
      ({ caller, isCreate, fault, answer }) =>
        caller.step === step && isCreate && !fault && answer?.body.includes(id),
    );
  if (isAnswered) return undefined;
  return wire.find(
    ({ caller, fault, at: sentAt }) =>
      caller.step === step &&
      typeof fault?.carriedOut === "number" &&
      Math.abs(sentAt + fault.carriedOut - at) < 100,
  );
}

/** Whether a program of the stack ever named an object that was there before. */
export function isAdopted(runs: readonly Run[], actor: string, id: string): boolean {
  const names = ({ args, importId }: Declared) => isSameId(args.adoptId, id) || isSameId(importId, id);
  return runs.some(
    ({ step, programs }) =>
      step.actor === actor && programs.some((program) => [...program.values()].some(names)),
  );
}

export function isSameId(one: unknown, other: string): boolean {
  return typeof one === "string" && one.toLowerCase() === other.toLowerCase();
}
