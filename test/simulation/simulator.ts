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

/** A history that broke a promise. */
export interface Finding {
  readonly seed: number;
  /** How many histories were played until then. */
  readonly played: number;
  readonly violations: readonly Violation[];
}

/** The provider keeps its rate limiters as long as its modules live; so they live for so many histories. */
const historiesPerLoad = 10_000;

/** Plays histories with one version of the provider. */
export class Simulator {
  #provider: Provider;
  #played = 0;

  /**
   * @param patches breakages of the provider
   * @param known faults that drawn histories leave out
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

  /** The history of a seed, without what is known to break a promise. */
  historyOf(seed: number): History {
    return withoutKnown(drawHistory(seed), this.known);
  }

  /** Plays the histories of so many seeds from the first one on, until one breaks a promise. */
  async search(first: number, count: number, step = 1): Promise<Finding | undefined> {
    for (let index = 0; index < count; index++) {
      const seed = first + index * step;
      const { violations } = await this.play(this.historyOf(seed));
      if (violations.length > 0) return { seed, played: index + 1, violations };
    }
    return undefined;
  }

  /** A finding for people: the seed, a shrunk history in sentences, the wire, and what was broken. */
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

/** A history as one line of JSON, to be kept. */
export function textOf(history: History): string {
  return JSON.stringify(history, (_name, value) => (value instanceof Map ? [...value] : value));
}
