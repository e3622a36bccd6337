import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { expectMade, isWriting } from "../golden";
import { selected } from "../seed";
import type { Breakage } from "./breakages";
import { firstSeed as firstOfRun } from "./histories";
import { applyToTexts, type Patch } from "./provider";

const mostHistories = Number(process.env.SIMULATIONS ?? 3000);

/** The first seed of the histories in the records. It does not depend on `SEED`, so that the records stay valid. */
const firstSeed = 1_000_000;

interface BrokenProviders {
  /** The resource types of the histories in the plural, such as `pipes`; empty for the histories of all types. */
  readonly noun: string;
  /** The file that says for each breakage which history shows it, from the root of the project. */
  readonly record: string;
  readonly breakages: readonly Breakage[];
  /** The number of histories, from the first of the run on, that another test plays with the unbroken provider. */
  readonly played: number;
  /** Returns a function that tells whether a provider with these patches breaks a promise in the history of a seed. */
  readonly playerOf: (patches: readonly Patch[]) => (seed: number) => Promise<boolean>;
}

/**
 * Defines the tests that the recorded history of each provider that is broken on purpose shows its fault. `npm run golden` looks
 * for another history where the recorded one shows it no longer.
 */
export function testBrokenProviders({ noun, record, breakages, played, playerOf }: BrokenProviders): void {
  const histories = noun ? `histories of ${noun}` : "histories";
  const recorded: { [title: string]: number | undefined } = JSON.parse(
    readFileSync(join(__dirname, "../..", record), "utf8"),
  );
  const brokenByWhole = new Map<number, boolean>();
  let playsWhole: (seed: number) => Promise<boolean>;
  before(() => {
    playsWhole = playerOf([]);
  });

  /** Tells whether the unbroken provider breaks a promise in the history of a seed, which it plays only once. */
  async function isBrokenByWhole(seed: number): Promise<boolean> {
    const isBroken = brokenByWhole.get(seed) ?? (await playsWhole(seed));
    brokenByWhole.set(seed, isBroken);
    return isBroken;
  }

  async function shownBy({ title, patches }: Breakage): Promise<number | undefined> {
    const playsBroken = playerOf(patches);
    const isShownBy = async (history = 0) =>
      history > 0 &&
      (await playsBroken(firstSeed + history - 1)) &&
      !(await isBrokenByWhole(firstSeed + history - 1));
    if (await isShownBy(recorded[title])) return recorded[title];
    if (!isWriting) return undefined;
    for (let history = 1; history <= mostHistories; history++) if (await isShownBy(history)) return history;
    throw new Error(`none of ${mostHistories} ${histories} shows it`);
  }

  it(`the code that each breakage of the ${histories} changes is there`, () => {
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

  for (const breakage of isWriting ? breakages : selected(breakages, 3))
    it(`the ${histories} find a provider that ${breakage.title}`, async () => {
      const shown = await shownBy(breakage);
      expect(shown, `\`SIMULATIONS=20000 npm run golden -- <this file>\` looks for another history`).to.be.a(
        "number",
      );
      recorded[breakage.title] = shown;
    });

  it(`the provider keeps its promises in the ${histories} that ${record} names`, async () => {
    for (const history of Object.values(recorded)) {
      const seed = firstSeed + (history ?? 1) - 1;
      const isPlayed = seed >= firstOfRun && seed < firstOfRun + played;
      expect(!isPlayed && (await isBrokenByWhole(seed)), `history ${history}`).to.equal(false);
    }
  });

  it(`${record} names a history for each breakage`, () => {
    const lines = breakages
      .map(({ title }) => title)
      .sort()
      .map((title) => `  ${JSON.stringify(title)}: ${recorded[title]}`);
    expectMade(record, `{\n${lines.join(",\n")}\n}\n`);
  });
}
