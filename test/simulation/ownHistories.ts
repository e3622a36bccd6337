import { expect } from "chai";
import { firstSeed } from "./histories";
import { loadProvider, type Patch, type Provider } from "./provider";
import { Random } from "./random";
import { VirtualTime } from "./virtualTime";
import { deliverBy } from "./world/transport";

/** A promise that a history broke. */
export class Broken extends Error {}

/** Histories of one thing alone, in a world of their own. */
interface OwnHistories<History> {
  readonly title: string;
  /** What they are about: random numbers follow from this name, too. */
  readonly noun: string;
  readonly count: number;
  /** Milliseconds after which a history counts as hanging. */
  readonly longest: number;
  readonly drawn: (seed: number) => History;
  /** Throws `Broken` if a promise is broken. */
  readonly play: (provider: Provider, history: History, seed: number) => Promise<void>;
  /** Providers that break a promise on purpose. */
  readonly breakages: { readonly [title: string]: readonly Patch[] };
}

/** Defines the tests that the histories break no promise, and that they show each provider which does. */
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

    /** The promise that a provider breaks in the history of a seed. */
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

    it(`${count} histories from seed ${firstSeed} on break no promise`, async () => {
      for (let at = firstSeed; at < firstSeed + count; at++)
        expect(await brokenIn(at, whole), `seed ${at}: ${JSON.stringify(drawn(at))}`).to.equal(undefined);
    });

    for (const [title, patches] of Object.entries(breakages))
      it(`finds a provider that ${title}`, async () => {
        const provider = loadProvider(patches);
        for (let at = 1_000_000; at < 1_000_300; at++) if (await brokenIn(at, provider)) return;
        expect.fail("300 histories do not show it");
      });
  });
}
