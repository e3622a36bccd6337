import { Hand } from "./actors/hand";
import { isClean, type Run, Stack } from "./actors/stack";
import type { HandStep, History, StackStep } from "./history";
import type { Provider } from "./provider";
import { Random } from "./random";
import { type VirtualTime, wait } from "./virtualTime";
import { Network, type WireEntry } from "./world/network";
import { Ids } from "./world/records";
import { Routes } from "./world/routes";
import { Store } from "./world/store";

/** What happened in a history: all that the invariants are judged by. */
export interface Account {
  readonly history: History;
  readonly store: Store;
  readonly hand: Hand;
  readonly stacks: readonly Stack[];
  /** The steps of the stacks in the order in which they ended; those of the end have negative numbers. */
  readonly runs: readonly Run[];
  readonly wire: readonly WireEntry[];
  /** What somebody did by hand, with the moment. */
  readonly deeds: readonly { readonly step: HandStep; readonly at: number; readonly deed: string }[];
  /** Why the history did not come to its end. */
  readonly failure?: Error;
}

/** Long enough for all that is late to have happened, and for every list to show it. */
const settlingMilliseconds = 130_000;

/** A day of virtual time; with all retries and waits no history needs it. */
const longestMilliseconds = 24 * 60 * 60_000;

/** As many updates bring service and program together when nothing goes wrong any more. */
const mostUpdates = 2;

/** Plays a history to its end. */
export async function simulate(history: History, provider: Provider, time: VirtualTime): Promise<Account> {
  const { seed, behaviour, faults, maxRetries } = history;
  const random = new Random(seed, "provider");
  const store = new Store();
  const ids = new Ids(new Random(seed, "ids"));
  const network = new Network(seed, store, new Routes(store, behaviour, ids), behaviour, faults);
  const hand = new Hand(store, ids, behaviour);
  const settings = {
    dialect: "neutral",
    operations: "all",
    observabilityVia: behaviour.via,
    timeoutSeconds: 30,
    maxRetries,
    requestsPerSecond: 0,
  };
  const actors = new Set(history.steps.map(({ actor }) => actor));
  const stacks = (["a", "b"] as const)
    .filter((actor) => actors.has(actor))
    .map((actor) => new Stack(actor, provider, network, settings));
  const runs: Run[] = [];
  const deeds: { step: HandStep; at: number; deed: string }[] = [];

  const play = async () => {
    hand.furnish();
    await Promise.all([
      ...stacks.map(async (stack) => {
        for (const step of history.steps) {
          if (step.actor !== stack.actor) continue;
          await wait(step.pause);
          runs.push(await stack.run(step as StackStep));
        }
      }),
      (async () => {
        for (const step of history.steps) {
          if (step.actor !== "hand") continue;
          await wait(step.pause);
          deeds.push({ step, at: Date.now(), deed: hand.act(step) });
        }
      })(),
    ]);
    network.isFaulty = false;
    await wait(settlingMilliseconds);
    for (const stack of stacks) {
      for (let attempt = 1; attempt <= mostUpdates && !isTogether(runs, stack); attempt++)
        for (const command of ["up --refresh", "drift"] as const) {
          const number = -10 * attempt - (command === "drift" ? 5 : 0) - stacks.indexOf(stack);
          runs.push(await stack.run({ number, actor: stack.actor, pause: 0, edits: [], command }));
          await wait(settlingMilliseconds);
        }
    }
  };
  let failure: Error | undefined;
  const close = network.open();
  await time
    .run(play, () => random.next(), longestMilliseconds)
    .catch((error: Error) => {
      failure = error;
    });
  close();
  return { history, store, hand, stacks, runs, wire: network.wire, deeds, failure };
}

function isTogether(runs: readonly Run[], { actor }: Stack): boolean {
  const last = runs.filter(({ step }) => step.actor === actor).at(-1);
  return last !== undefined && last.step.number < 0 && isClean(last);
}
