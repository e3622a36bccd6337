import { seed } from "../seed";
import { knownFaults } from "./knownFaults";
import { loadSimulator } from "./loader";
import { VirtualTime } from "./virtualTime";

export const histories = Number(process.env.SIMULATIONS ?? 400);

/**
 * The first seed of the simulated histories in this run. Runs with different `SEED` use different ranges of a million seeds.
 */
export const firstSeed = seed * 1_000_000;

/**
 * Defines the test that plays one half of the simulated histories: those of even or of odd seeds. Each half runs in its own
 * process.
 */
export function playHalf(half: "even" | "odd"): void {
  const count = Math.ceil(histories / 2);
  describe(`The promises of the provider in ${count} simulated histories of ${half} seeds from ${firstSeed} on`, function () {
    this.timeout(0);
    let time: VirtualTime;

    before(() => {
      time = new VirtualTime();
    });
    after(() => time.end());

    it("the provider keeps its promises in every simulated history of requests and faults", async () => {
      const simulator = new (loadSimulator().Simulator)(time, [], knownFaults);
      const found = await simulator.search(firstSeed + (half === "even" ? 0 : 1), count, 2);
      if (found) throw new Error(await simulator.report(found));
    });
  });
}
