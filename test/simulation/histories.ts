import { seed } from "../seed";
import { knownFaults } from "./knownFaults";
import { loadSimulator } from "./loader";
import { VirtualTime } from "./virtualTime";

/** How many histories both halves play. */
export const histories = Number(process.env.SIMULATIONS ?? 800);

/** Seeds of different runs do not overlap. */
export const firstSeed = seed * 1_000_000;

/** Plays one half of the histories: those of the even seeds, or of the odd ones. Each half has a process of its own. */
export function playHalf(half: "even" | "odd"): void {
  const count = Math.ceil(histories / 2);
  describe(`${count} simulated histories of ${half} seeds from ${firstSeed} on`, function () {
    this.timeout(0);
    let time: VirtualTime;

    before(() => {
      time = new VirtualTime();
    });
    after(() => time.end());

    it("break no promise", async () => {
      const simulator = new (loadSimulator().Simulator)(time, [], knownFaults);
      const found = await simulator.search(firstSeed + (half === "even" ? 0 : 1), count, 2);
      if (found) throw new Error(await simulator.report(found));
    });
  });
}
