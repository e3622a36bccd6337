import { mock } from "node:test";

/**
 * Stops the clocks, which `mock.timers.tick` moves from here on. Only a hook that calls `mock.reset` surely sets them going
 * again: a test that has run out of time never gets to its end, and each later one would find them stopped.
 */
export function mockTime(): void {
  const origin = performance.now() - Date.now();
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: Date.now() });
  mock.method(performance, "now", () => origin + Date.now());
}
