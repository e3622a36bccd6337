import { expect } from "chai";
import { firstSeed } from "./histories";
import { historyOfKnown, knownFaults } from "./knownFaults";
import { loadSimulator } from "./loader";
import type { Simulator } from "./simulator";
import { traceOf } from "./trace";
import { VirtualTime } from "./virtualTime";

const simulator = loadSimulator();

describe("Simulated histories of requests and faults", function () {
  this.timeout(0);
  let time: VirtualTime;

  before(() => {
    time = new VirtualTime();
  });
  after(() => time.end());

  for (const known of knownFaults) {
    it(`a known fault of the provider still breaks a promise: it ${known.title}`, async () => {
      const { violations } = await new simulator.Simulator(time).play(historyOfKnown(known));
      const promises = violations.map(({ promise }) => promise);
      expect(promises, "this fault is mended: take it out of knownFaults.ts and knownFaults.json").to.include(
        known.promise,
      );
    });
  }

  it("a seed gives the same trace of a simulated history in each run", async () => {
    const [one, other] = [
      new simulator.Simulator(time, [], knownFaults),
      new simulator.Simulator(time, [], knownFaults),
    ];
    for (let seed = firstSeed; seed < firstSeed + 30; seed++) {
      const trace = async (simulator: Simulator) =>
        traceOf((await simulator.play(simulator.historyOf(seed))).account);
      const expected = await trace(one);
      // The first simulator plays the history a second time, while the other one plays it only once after the same histories:
      // plays must not influence later ones.
      await trace(one);
      expect(await trace(other)).to.equal(expected);
    }
  });
});
