import { type CalledOperation, isWrite } from "../operations";
import type { Fault } from "./fault";
import { kindOf } from "./kinds";

/** Counts the requests that match a fault, and decides into which of them the fault is injected. */
export class CallCounter {
  /** Number of requests to the sandbox with the fault's operation and API. */
  matched = 0;
  injected = 0;
  private random: () => number;
  private readonly isOfWrites: boolean;

  constructor(private readonly fault: Fault) {
    this.isOfWrites = fault.when === "later" || kindOf(fault.kind).affectsWrites === true;
    this.random = randomNumbers(fault.seed ?? 0);
  }

  count(call: CalledOperation): boolean {
    const { operation, api, nth, from = nth ?? 1, to = nth ?? Number.POSITIVE_INFINITY } = this.fault;
    if (api !== undefined && api !== call.api) return false;
    if (operation !== "*" && operation !== call.operation) return false;
    if (this.isOfWrites && !isWrite(call.operation ?? "get")) return false;
    this.matched += 1;
    // A random number is drawn for every request that matches a fault, so that the outcome of one request does not depend on
    // the others.
    const drawn = this.random();
    return this.matched >= from && this.matched <= to && drawn < (this.fault.probability ?? 1);
  }

  restart(): void {
    this.matched = 0;
    this.injected = 0;
    this.random = randomNumbers(this.fault.seed ?? 0);
  }
}

function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
