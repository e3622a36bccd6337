import { expect } from "chai";
import type { Breakage } from "./breakages";
import { testBrokenProviders } from "./brokenProviders";
import { firstSeed, histories } from "./histories";
import { Broken } from "./ownWorld";
import { loadProvider, type Provider } from "./provider";
import { Random } from "./random";
import { textOf } from "./simulator";
import { VirtualTime } from "./virtualTime";

/** The simulated histories of one resource type, such as pipes. */
interface OwnHistories<History> {
  /** The resource type in the plural, such as `pipes`. It is part of the seed of a simulated history's random numbers. */
  readonly noun: string;
  /** The part of the usual number of simulated histories that is played, since these are slower: 1 of so many. */
  readonly oneOf: number;
  readonly drawn: (seed: number) => History;
  readonly worldOf: (
    provider: Provider,
    seed: number,
    history: History,
  ) => { play(history: History): Promise<void> };
  readonly breakages: readonly Breakage[];
}

/** Milliseconds of virtual time after which a simulated history counts as hanging. */
const longest = 200 * 24 * 60 * 60_000;

/**
 * Defines two kinds of tests: the provider keeps its promises in all simulated histories, and some history shows the fault of
 * each provider that is broken on purpose.
 */
export function testHistories<History>(own: OwnHistories<History>): void {
  const { noun, oneOf, drawn, worldOf, breakages } = own;
  const count = Math.ceil(histories / oneOf);

  describe(`Simulated histories of ${noun}`, function () {
    this.timeout(0);
    let time: VirtualTime;
    let whole: Provider;

    before(() => {
      time = new VirtualTime();
      whole = loadProvider();
    });
    after(() => time.end());

    /** Plays the simulated history of a seed, and returns the promise that the provider breaks; undefined if it breaks none. */
    async function brokenIn(at: number, provider: Provider): Promise<string | undefined> {
      const random = new Random(`time of ${noun}`, at);
      time.begin();
      try {
        const history = drawn(at);
        const play = () => worldOf(provider, at, history).play(history);
        await time.run(play, () => random.next(), longest);
        return undefined;
      } catch (error) {
        if (error instanceof Broken) return error.message;
        throw new Error(`seed ${at}: ${(error as Error).stack}`);
      }
    }

    it(`the provider keeps its promises in ${count} simulated histories of ${noun}`, async () => {
      for (let at = firstSeed; at < firstSeed + count; at++)
        expect(await brokenIn(at, whole), `seed ${at}: ${textOf(drawn(at))}`).to.equal(undefined);
    });

    testBrokenProviders({
      noun,
      record: `test/simulation/${noun}/breakages.json`,
      breakages,
      played: count,
      playerOf(patches) {
        const provider = loadProvider(patches);
        return async (seed) => (await brokenIn(seed, provider)) !== undefined;
      },
    });
  });
}
