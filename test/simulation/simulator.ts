import type { Violation } from "../promises/promise";
import { brokenIn } from "../promises/promises";
import { drawHistory } from "./drawnHistory";
import type { History } from "./history";
import { type KnownFault, withoutKnown } from "./knownFaults";
import { loadProvider, type Patch, type Provider } from "./provider";
import { sentencesOf } from "./sentences";
import { shrunk } from "./shrink";
import { type Account, simulate } from "./simulate";
import { wireOf } from "./trace";
import type { VirtualTime } from "./virtualTime";

/** The result of a search: a simulated history in which the provider broke a promise (a rule that it must keep). */
export interface Finding {
  readonly seed: number;
  readonly played: number;
  readonly violations: readonly Violation[];
}

/**
 * The number of simulated histories after which the provider is loaded anew. Until then it keeps a rate limiter for each
 * address, which takes memory.
 */
const historiesPerLoad = 10_000;

/** Plays simulated histories with one version of the provider: the unchanged one, or one that patches have broken. */
export class Simulator {
  #provider: Provider;
  #played = 0;

  /**
   * Makes a simulator with one version of the provider.
   * @param patches patches that break the provider on purpose
   * @param known faults of the provider whose triggers random histories leave out
   */
  constructor(
    private readonly time: VirtualTime,
    private readonly patches: readonly Patch[] = [],
    private readonly known: readonly KnownFault[] = [],
  ) {
    this.#provider = loadProvider(patches);
  }

  async play(history: History): Promise<{ account: Account; violations: Violation[] }> {
    if (++this.#played % historiesPerLoad === 0) this.#provider = loadProvider(this.patches);
    const account = await simulate(history, this.#provider, this.time);
    const isUnjudged = (promise: string) =>
      this.known.some((fault) => fault.isUnjudged && fault.promise === promise);
    return { account, violations: brokenIn(account).filter(({ promise }) => !isUnjudged(promise)) };
  }

  /** Generates the simulated history of a seed, without the triggers of known faults. */
  historyOf(seed: number): History {
    return withoutKnown(drawHistory(seed), this.known);
  }

  /** Plays the simulated histories of `count` seeds from `first` on, until the provider breaks a promise. */
  async search(first: number, count: number, step = 1): Promise<Finding | undefined> {
    for (let index = 0; index < count; index++) {
      const seed = first + index * step;
      const { violations } = await this.play(this.historyOf(seed));
      if (violations.length > 0) return { seed, played: index + 1, violations };
    }
    return undefined;
  }

  /**
   * Describes for people a promise that the provider broke: the seed, a shrunk history in sentences, the broken promises, and
   * all requests.
   */
  async report({ seed, violations }: Finding): Promise<string> {
    const promise = violations[0]?.promise ?? "";
    const { history, account, broken } = await this.shrink(this.historyOf(seed), promise);
    return [
      `Seed ${seed} breaks the promise "${promise}".`,
      ...sentencesOf(account),
      ...broken.map(({ promise, what }) => `Broken: ${promise}: ${what}`),
      "The wire:",
      ...wireOf(account),
      `The history: ${textOf(history)}`,
    ].join("\n");
  }

  async shrink(history: History, promise: string) {
    const small = await shrunk(history, promise, async (candidate) => {
      const { account, violations } = await this.play(candidate);
      return { account, promises: violations.map((violation) => violation.promise) };
    });
    const { account, violations } = await this.play(small);
    return { history: small, account, broken: violations };
  }
}

/** Writes a simulated history as one line of JSON, which a developer can keep and replay. */
export function textOf(history: unknown): string {
  return JSON.stringify(history, (_name, value) => (value instanceof Map ? [...value] : value));
}
