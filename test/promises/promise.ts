import type { Account, Declared, Request, Run } from "./account";
import type { Commit } from "./store";

/** A statement that has to hold whatever goes wrong. */
export interface Promised {
  readonly name: string;
  /** The promise in words for users. */
  readonly sentence: string;
  /** The parts of an account that are needed to judge the promise. */
  readonly needs: readonly (keyof Account)[];
  broken(account: Account): readonly Broken[];
}

/** A violation of a promise. */
export interface Broken {
  /** A sentence about what happened. */
  readonly what: string;
  /** The number of the step in which it was noticed. */
  readonly step?: number;
}

/** A violation with the name of its promise. */
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

/** The violations in an account of those promises that it has the parts for. */
export function violationsIn(account: Account, promises: readonly Promised[]): Violation[] {
  return promises
    .filter(({ needs }) => needs.every((part) => account[part] !== undefined))
    .flatMap(({ name, broken }) => broken(account).map((each) => ({ promise: name, ...each })));
}

/** The command during which somebody changed something. */
export function runOf({ runs }: Account, { step }: { readonly step: number }): Run | undefined {
  return runs.find((run) => run.step.number === step);
}

/** The requests of a step that met a fault. */
export function faultedIn({ wire = [] }: Account, step: number): Request[] {
  return wire.filter(({ caller, fault }) => caller.step === step && fault !== undefined);
}

/**
 * The failed request that was carried out later and led to a change, unless the create was reported to another request.
 */
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

/** Whether a program of the stack ever named an object that existed before. */
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
