import { expect } from "chai";
import { firstSeed } from "./histories";
import { applyToTexts, loadProvider, type Patch, type Provider } from "./provider";
import { Random } from "./random";
import { VirtualTime } from "./virtualTime";
import { deliverBy } from "./world/transport";

/** The error for a promise (a rule that the provider must keep) that the provider broke in a simulated history. */
export class Broken extends Error {}

/** The simulated histories of one resource type, such as pipes, with a simulated service made only for them. */
interface OwnHistories<History> {
  readonly title: string;
  /** The resource type in the plural, such as `pipes`. It is part of the seed of a simulated history's random numbers. */
  readonly noun: string;
  readonly count: number;
  /** Milliseconds of virtual time after which the test regards a simulated history as hanging. */
  readonly longest: number;
  readonly drawn: (seed: number) => History;
  /** Plays one simulated history. Throws `Broken` if the provider breaks a promise. */
  readonly play: (provider: Provider, history: History, seed: number) => Promise<void>;
  /** Patches that break the provider on purpose. The key of each is a phrase for the broken behaviour. */
  readonly breakages: { readonly [title: string]: readonly Patch[] };
}

/**
 * Defines two kinds of tests: the provider keeps its promises in all simulated histories, and some history shows the fault of
 * each provider that is broken on purpose.
 */
export function testHistories<History>(own: OwnHistories<History>): void {
  const { title, noun, count, longest, drawn, play, breakages } = own;

  describe(title, function () {
    this.timeout(0);
    let time: VirtualTime;
    let whole: Provider;

    before(() => {
      time = new VirtualTime();
      whole = loadProvider();
    });
    after(() => {
      deliverBy(undefined);
      time.end();
    });

    /** Plays the simulated history of a seed, and returns the promise that the provider breaks; undefined if it breaks none. */
    async function brokenIn(at: number, provider: Provider): Promise<string | undefined> {
      const random = new Random(`time of ${noun}`, at);
      time.begin();
      try {
        await time.run(
          () => play(provider, drawn(at), at),
          () => random.next(),
          longest,
        );
        return undefined;
      } catch (error) {
        if (error instanceof Broken) return error.message;
        throw new Error(`seed ${at}: ${(error as Error).stack}`);
      }
    }

    it(`the code that each breakage of ${noun} changes is there`, () => {
      for (const patches of Object.values(breakages)) applyToTexts(patches);
    });

    it(`the provider keeps its promises in ${count} simulated histories of ${noun}`, async () => {
      for (let at = firstSeed; at < firstSeed + count; at++)
        expect(await brokenIn(at, whole), `seed ${at}: ${JSON.stringify(drawn(at))}`).to.equal(undefined);
    });

    for (const [title, patches] of Object.entries(breakages))
      it(`find a provider that ${title}`, async () => {
        const provider = loadProvider(patches);
        for (let at = 1_000_000; at < 1_000_300; at++)
          if ((await brokenIn(at, provider)) && !(await brokenIn(at, whole))) return;
        expect.fail("300 histories do not show it");
      });
  });
}
