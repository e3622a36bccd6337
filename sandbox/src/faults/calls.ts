import type { Call } from "../operations";
import type { Fault } from "./fault";

/** Counts the calls that a fault is about, and says which of them it happens to. */
export class CallCounter {
  /** How many calls it was about. */
  seen = 0;
  /** How many calls it happened to. */
  met = 0;
  private chance: () => number;

  constructor(private readonly fault: Fault) {
    this.chance = chances(fault.seed ?? 0);
  }

  /** Counts a call. Answers whether the fault happens to it. */
  count(call: Call): boolean {
    const { operation, api, nth, from = nth ?? 1, to = nth ?? Number.POSITIVE_INFINITY } = this.fault;
    if (api !== undefined && api !== call.api) return false;
    if (operation !== "*" && operation !== call.operation) return false;
    this.seen += 1;
    // Drawn for each call, so that the outcome for a call does not depend on the range.
    const drawn = this.chance();
    return this.seen >= from && this.seen <= to && drawn < (this.fault.probability ?? 1);
  }

  restart(): void {
    this.seen = 0;
    this.met = 0;
    this.chance = chances(this.fault.seed ?? 0);
  }
}

/** Numbers from 0 to below 1 that look random, the same ones for the same seed (the generator mulberry32). */
function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
