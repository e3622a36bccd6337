import { isClean, type Account as JudgedAccount } from "../promises/account";
import { lastLook } from "../promises/bookkeeping";
import { unheld } from "../promises/held";
import { Hand } from "./actors/hand";
import { Orphans, type OrphansRun } from "./actors/orphans";
import { type Run, Stack } from "./actors/stack";
import { differencesOf } from "./differences";
import type { HandStep, History, OrphansStep, Step } from "./history";
import { longestChain, type Program } from "./program";
import type { Provider } from "./provider";
import { Random } from "./random";
import { type VirtualTime, wait } from "./virtualTime";
import type { Behaviour } from "./world/behaviour";
import { serviceId, signingKeyId } from "./world/contents";
import { Network, type WireEntry } from "./world/network";
import { credentialsOf } from "./world/signers";
import { Service } from "./world/simulatedService";

export interface Account extends JudgedAccount {
  readonly history: History;
  readonly runs: readonly Run[];
  readonly orphans: readonly OrphansRun[];
  readonly wire: readonly WireEntry[];
  /** The changes that a person made in the console during the simulated history, each with its time. */
  readonly deeds: readonly { readonly step: HandStep; readonly at: number; readonly deed: string }[];
}

const forTheUser =
  /adoptId|onConflict|inputs to import|config.sourceId is required|does not exist in the service|both (declare|adopt)|is used by an alert|still reference it|(this service and name|this name) already exists|is required when source|must be in the future|set other credentials|whose alerts the service deletes|: BAD_REQUEST: .* has no member /;

/**
 * Milliseconds after which late requests are carried out, all reads show current values, and no object is so new that a list
 * may lack it.
 */
const settlingMilliseconds = 190_000;

/** A day of virtual time. A simulated history that lasts longer hangs, since no retries and waits add up to a day. */
const longestMilliseconds = 24 * 60 * 60_000;

/**
 * The number of updates after which the simulated service and the program must agree once no fault happens. It is two, unless
 * creates return only an id and reads or lists lag. An update then fails to read the objects that it has just created, so each
 * level of objects that depend on others needs an update of its own. Two more updates follow, since an update may still read
 * old values.
 */
const mostUpdates = ({ receipts, readsLag, listLag }: Behaviour, program: Program) =>
  receipts && (readsLag || listLag > 0) ? Math.max(4, longestChain(program) + 2) : 2;

/**
 * A run of `pipestack orphans` before the last updates of a simulated history, while replaced objects still wait for deletion.
 */
const looking: OrphansStep = { number: -2, actor: "orphans", pause: 0, deletes: false };

/** Plays a simulated history, runs the last updates without faults, and returns everything that happened. */
export async function simulate(history: History, provider: Provider, time: VirtualTime): Promise<Account> {
  const { seed, behaviour, world = [], faults, maxRetries, onConflict } = history;
  const random = new Random(seed, "provider");
  time.begin();
  const service = new Service(seed, behaviour, world);
  const { store } = service;
  const network = new Network(seed, service, faults);
  const hand = new Hand(service, world);
  const settings = {
    dialect: behaviour.dialect,
    observabilityVia: behaviour.via,
    timeoutSeconds: 30,
    maxRetries,
    requestsPerSecond: 0,
    ...(onConflict && { onConflict }),
  };
  const actors = new Set(history.steps.map(({ actor }) => actor));
  const lookForOrphans = async (step: OrphansStep) =>
    void orphans.push(await new Orphans(provider, network, settings, store).run(step, stacks));
  const stacks = (["a", "b"] as const)
    .filter((actor) => actors.has(actor))
    .map((actor) => new Stack(actor, provider, network, settings));
  const runs: Run[] = [];
  const orphans: OrphansRun[] = [];
  const deeds: { step: HandStep; at: number; deed: string }[] = [];

  const play = async () => {
    const act = async (step: Step) => {
      if (step.actor === "hand") deeds.push({ step, at: Date.now(), deed: hand.act(step) });
      else if (step.actor === "orphans") await lookForOrphans(step);
      else runs.push(await (stacks.find(({ actor }) => actor === step.actor) as Stack).run(step));
    };
    const actTogether = (["a", "b", "hand", "orphans"] as const).map(async (actor) => {
      for (const step of history.steps) {
        if (step.actor !== actor) continue;
        await wait(step.pause);
        await act(step);
      }
    });
    await Promise.all(actTogether);
    network.isFaulty = false;
    // If the simulated service's clock is ahead, its objects count as new for that much longer.
    await wait(settlingMilliseconds + Math.max(0, behaviour.skew));
    if (stacks.some(({ state }) => state.doomed.length > 0)) await lookForOrphans(looking);
    for (const stack of stacks) {
      for (
        let attempt = 1;
        attempt <= mostUpdates(behaviour, stack.program) && !isTogether(runs, stack);
        attempt++
      )
        for (const command of ["up --refresh", "drift"] as const) {
          const number = -10 * attempt - (command === "drift" ? 5 : 0) - stacks.indexOf(stack);
          runs.push(await stack.run({ number, actor: stack.actor, pause: 0, edits: [], command }));
          await wait(settlingMilliseconds);
        }
    }
    if (unheld({ store, stacks }).length > 0) await lookForOrphans({ ...looking, number: lastLook });
  };
  let failure: Error | undefined;
  const close = network.open();
  await time
    .run(play, () => random.next(), longestMilliseconds)
    .catch((error: Error) => {
      failure = error;
    });
  close();
  return {
    ...{ history, store, runs, orphans, deeds, failure, maxRetries, forTheUser, serviceId, onConflict },
    stacks: stacks.map((stack) => stack.inTheEnd()),
    wire: network.wire,
    byHand: hand,
    habits: behaviour,
    signingKeys: signingKeysIn(service, stacks),
    credentials: [...credentials, ...service.issued],
    differences: (declared, record) => differencesOf(declared, record, behaviour),
  };
}

const credentials = (["a", "b", "other"] as const).flatMap((signer) => {
  const { keyId, keySecret, accessToken } = credentialsOf(signer);
  return [keySecret, `${keyId}:${keySecret}`, accessToken];
});

function signingKeysIn({ model }: Service, stacks: readonly Stack[]): string[] {
  const signers = ["other", ...stacks.map(({ actor }) => actor)].map((signer) => `signing ${signer}`);
  const own = [...model.store.keys.values()].filter(({ name }) => signers.includes(name));
  return [signingKeyId, ...own.map(({ id }) => id)];
}

function isTogether(runs: readonly Run[], { actor }: Stack): boolean {
  const last = runs.filter(({ step }) => step.actor === actor).at(-1);
  return last !== undefined && last.step.number < 0 && isClean(last);
}
