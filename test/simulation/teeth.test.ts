import { expect } from "chai";
import { expectMade, isWriting } from "../golden";
import { selected } from "../seed";
import { type Breakage, breakages } from "./breakages";
import recorded from "./breakages.json";
import { knownFaults } from "./knownFaults";
import { loadSimulator } from "./loader";
import { applyToTexts } from "./provider";
import type { Simulator } from "./simulator";
import { VirtualTime } from "./virtualTime";

const simulator = loadSimulator();
const mostHistories = Number(process.env.SIMULATIONS ?? 3000);

/**
 * The first seed of the simulated histories in this test. It does not depend on `SEED`, so that the results in `breakages.json`
 * stay valid.
 */
const firstSeed = 1_000_000;

/** How many simulated histories were played until the fault of a broken provider was found, and the promise that it broke. */
interface Found {
  readonly promise: string;
  readonly histories: number;
}

/** The committed results of the simulation for all providers that are broken on purpose. */
const known: { readonly [title: string]: Found | undefined } = recorded;

describe("The simulation, tried with providers that are broken on purpose,", function () {
  this.timeout(0);
  const found = new Map<string, Found>();
  let time: VirtualTime;
  let whole: Simulator;

  before(() => {
    time = new VirtualTime();
    whole = new simulator.Simulator(time, [], knownFaults);
  });
  after(() => time.end());

  /**
   * Plays one simulated history. Returns the promise that only the broken provider breaks; undefined if it breaks none, or if
   * the unchanged provider breaks one, too.
   */
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

  it("the code that each breakage changes is there", () => {
    const lost = breakages.flatMap(({ title, patches }) => {
      try {
        applyToTexts(patches);
        return [];
      } catch (error) {
        return [`${title}: ${(error as Error).message}`];
      }
    });
    expect(lost).to.deep.equal([]);
  });

  for (const breakage of isWriting ? breakages : selected(breakages, 3)) {
    it(`finds a provider that ${breakage.title}`, async () => {
      const result = await search(breakage);
      expect(result, `none of ${mostHistories} histories shows it`).to.not.equal(undefined);
      if (result) found.set(breakage.title, result);
    });
  }

  it("breakages.json contains a simulated history that finds each provider broken on purpose", () => {
    // If only some tests run, the committed results for the other broken providers stay.
    const all = breakages.map(({ title }) => [
      title,
      isWriting ? (found.get(title) ?? known[title]) : known[title],
    ]);
    const lines = all.sort().map(([title, one]) => `  ${JSON.stringify(title)}: ${JSON.stringify(one)}`);
    expectMade("test/simulation/breakages.json", `{\n${lines.join(",\n")}\n}\n`);
  });
});
