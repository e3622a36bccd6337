import { expect } from "chai";
import { expectMade, isWriting } from "../golden";
import { type Breakage, breakages } from "./breakages";
import recorded from "./breakages.json";
import { knownFaults } from "./knownFaults";
import { loadSimulator } from "./loader";
import type { Simulator } from "./simulator";
import { VirtualTime } from "./virtualTime";

const simulator = loadSimulator();
const mostHistories = Number(process.env.SIMULATIONS ?? 3000);

/** The same in every run, whatever its seed. */
const firstSeed = 1_000_000;

/** After how many histories a breakage was found, and the promise that it broke. */
interface Found {
  readonly promise: string;
  readonly histories: number;
}

/** Those of all breakages when they were last written. */
const known: { readonly [title: string]: Found | undefined } = recorded;

describe("A provider that is broken on purpose", function () {
  this.timeout(0);
  const found = new Map<string, Found>();
  let time: VirtualTime;
  let whole: Simulator;

  before(() => {
    time = new VirtualTime();
    whole = new simulator.Simulator(time, [], knownFaults);
  });
  after(() => time.end());

  /** The promise that the broken provider breaks in a history, and the whole one keeps with all others. */
  async function brokenIn(index: number, broken: Simulator): Promise<string | undefined> {
    const history = broken.historyOf(firstSeed + index - 1);
    const { violations } = await broken.play(history);
    if (violations.length === 0 || (await whole.play(history)).violations.length > 0) return undefined;
    return violations[0]?.promise;
  }

  async function search({ title, patches }: Breakage): Promise<Found | undefined> {
    const broken = new simulator.Simulator(time, patches, knownFaults);
    const { histories: last } = (!isWriting && known[title]) || {};
    const promise = last && (await brokenIn(last, broken));
    if (last && promise) return { promise, histories: last };
    for (let histories = 1; histories <= mostHistories; histories++) {
      const promise = await brokenIn(histories, broken);
      if (promise) return { promise, histories };
    }
    return undefined;
  }

  for (const breakage of breakages) {
    it(`the simulation finds a provider that ${breakage.title}`, async () => {
      const result = await search(breakage);
      expect(result, `none of ${mostHistories} histories shows it`).to.not.equal(undefined);
      if (result) found.set(breakage.title, result);
    });
  }

  it("the committed file has a history for every breakage", () => {
    // A run of some breakages alone leaves those of all others.
    const all = breakages.map(({ title }) => [
      title,
      isWriting ? (found.get(title) ?? known[title]) : known[title],
    ]);
    const lines = all.sort().map(([title, one]) => `  ${JSON.stringify(title)}: ${JSON.stringify(one)}`);
    expectMade("test/simulation/breakages.json", `{\n${lines.join(",\n")}\n}\n`);
  });
});
