import { breakages } from "./breakages";
import { testBrokenProviders } from "./brokenProviders";
import { histories } from "./histories";
import { knownFaults } from "./knownFaults";
import { loadSimulator } from "./loader";
import { VirtualTime } from "./virtualTime";

const { Simulator } = loadSimulator();

describe("The simulation, tried with providers that are broken on purpose,", function () {
  this.timeout(0);
  let time: VirtualTime;
  before(() => {
    time = new VirtualTime();
  });
  after(() => time.end());

  testBrokenProviders({
    noun: "",
    record: "test/simulation/breakages.json",
    breakages,
    played: histories,
    playerOf(patches) {
      const simulator = new Simulator(time, patches, knownFaults);
      return async (seed) => (await simulator.play(simulator.historyOf(seed))).violations.length > 0;
    },
  });
});
