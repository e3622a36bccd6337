import { type History, isStackStep, type StackStep, type Step } from "./history";
import type { Account } from "./simulate";
import { plain, type Rewrites } from "./world/behaviour";

export type Play = (history: History) => Promise<{ account: Account; promises: readonly string[] }>;

/**
 * Makes a smaller simulated history that still breaks the promise. It lacks all steps, edits of programs, faults and unusual
 * behaviour of the service that are not needed for this.
 */
export async function shrunk(history: History, promise: string, play: Play): Promise<History> {
  const { account } = await play(history);
  let best: History = { ...history, faults: faultsIn(account) };
  const isStillBroken = async (candidate: History) => (await play(candidate)).promises.includes(promise);
  if (!(await isStillBroken(best))) return history;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (let index = 0; ; index++) {
      const candidate = smallerHistories(best)[index];
      if (candidate === undefined) break;
      if (!(await isStillBroken(candidate))) continue;
      best = candidate;
      isSmaller = true;
      index--;
    }
  }
  return best;
}

/** The faults that happened in a simulated history, by the key of the request to which each happened. */
function faultsIn({ wire }: Account) {
  return new Map(wire.flatMap(({ key, fault }) => (fault ? [[key, fault] as const] : [])));
}

/** Makes all simulated histories that lack one part of the given history. Those that lack the largest parts come first. */
function smallerHistories(history: History): History[] {
  const { steps, behaviour, world = [] } = history;
  const faults = history.faults as ReadonlyMap<string, never>;
  const withSteps = (changed: readonly Step[]): History => ({ ...history, steps: changed });
  const replaced = (step: Step, changes: Partial<StackStep>) =>
    withSteps(steps.map((each) => (each === step ? ({ ...each, ...changes } as Step) : each)));
  const { rewrites, ...habits } = behaviour;
  return [
    ...(["a", "b", "hand", "orphans"] as const)
      .filter((actor) => steps.some((step) => step.actor === actor))
      .map((actor) => withSteps(steps.filter((step) => step.actor !== actor))),
    ...steps.map((step) => withSteps(steps.filter((each) => each !== step))),
    ...world.map((part) => ({ ...history, world: world.filter((other) => other !== part) })),
    ...steps.flatMap((step) =>
      !isStackStep(step)
        ? []
        : step.edits.map((edit) => replaced(step, { edits: step.edits.filter((each) => each !== edit) })),
    ),
    ...[...faults.keys()].map((key) => ({
      ...history,
      faults: new Map([...faults].filter(([other]) => other !== key)),
    })),
    ...steps.flatMap((step) =>
      !isStackStep(step)
        ? []
        : [
            ...(step.killedAfter === undefined ? [] : [replaced(step, { killedAfter: undefined })]),
            ...(step.targets ? [replaced(step, { targets: undefined })] : []),
            ...(step.starts ? [replaced(step, { starts: undefined })] : []),
          ],
    ),
    ...steps.filter(({ pause }) => pause > 0).map((step) => replaced(step, { pause: 0 })),
    ...Object.entries(habits)
      .filter(([name, value]) => value !== plain[name as keyof typeof plain])
      .map(([name]) => ({
        ...history,
        behaviour: { ...behaviour, [name]: plain[name as keyof typeof plain] },
      })),
    ...Object.entries(rewrites)
      .filter(([, value]) => value)
      .map(([name]) => ({
        ...history,
        behaviour: { ...behaviour, rewrites: { ...rewrites, [name as keyof Rewrites]: false } },
      })),
  ];
}
