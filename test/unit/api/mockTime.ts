import { mock } from "node:test";

/** Stops the clock, which `mock.timers.tick` moves from here on; `mock.reset` sets it going again. */
export function mockTime(): void {
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: Date.now() });
  mock.method(performance, "now", () => Date.now());
}
