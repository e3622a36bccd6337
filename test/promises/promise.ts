import type { Account, Declared, Request, Run } from "./account";
import type { Commit } from "./store";

/** A promise: a statement about the provider that must hold in every test, whatever goes wrong. */
export interface Promised {
  readonly name: string;
  readonly sentence: string;
  /** The parts of a test's account (everything that the test recorded) that are needed to judge the promise. */
  readonly needs: readonly (keyof Account)[];
  broken(account: Account): readonly Broken[];
}

/** A violation of a promise (a rule that the provider must keep). */
export interface Broken {
  /** A sentence about what happened when the provider broke the promise. */
  readonly what: string;
  readonly step?: number;
}

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

export function violationsIn(account: Account, promises: readonly Promised[]): Violation[] {
  return promises
    .filter(({ needs }) => needs.every((part) => account[part] !== undefined))
    .flatMap(({ name, broken }) => broken(account).map((each) => ({ promise: name, ...each })));
}

export function runOf({ runs }: Account, { step }: { readonly step: number }): Run | undefined {
  return runs.find((run) => run.step.number === step);
}

export function faultedIn({ wire = [] }: Account, step: number): Request[] {
  return wire.filter(({ caller, fault }) => caller.step === step && fault !== undefined);
}

/**
 * Finds the failed request that the service carried out later, and that made the given change. The result is undefined if there
 * is none, or if the successful answer to a create contained the object.
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

/** Whether the service answered the last write of a stack to an object, before a time, without carrying it out. */
export function wasLastWriteSwallowed(
  { wire = [] }: Account,
  actor: string,
  { id, at: before }: Commit,
): boolean {
  const writes = wire.filter(
    ({ caller, method, path, at }) =>
      caller.actor === actor && method !== "GET" && at < before && path.endsWith(`/${id}`),
  );
  return writes.at(-1)?.fault?.kind === "swallowed";
}

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
