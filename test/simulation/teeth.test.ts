import { expect } from "chai";
import { breakages, quickTitles } from "./breakages";
import { firstSeed as first } from "./histories";
import { withoutKnown } from "./knownFaults";
import type { Patch } from "./provider";
import { type Finding, Simulator } from "./simulator";
import { VirtualTime } from "./virtualTime";

/** A long run looks for all breakages, the usual one for those that few histories show. */
const isLong = process.env.SIMULATIONS !== undefined;
const histories = Number(process.env.SIMULATIONS ?? 400);

describe(`A provider that is broken on purpose is found in ${histories} simulated histories`, function () {
  this.timeout(0);
  let time: VirtualTime;
  let whole: Simulator;

  before(() => {
    time = new VirtualTime();
    whole = new Simulator(time, [], withoutKnown);
  });
  after(() => time.end());

  /** The first history that the broken provider fails and the whole one does not. */
  async function search(patches: readonly Patch[]): Promise<Finding | undefined> {
    const broken = new Simulator(time, patches, withoutKnown);
    for (let next = first; next < first + histories; ) {
      const found = await broken.search(next, first + histories - next);
      if (found === undefined) return undefined;
      const { violations } = await whole.play(whole.historyOf(found.seed));
      if (violations.length === 0) return { ...found, played: found.seed - first + 1 };
      next = found.seed + 1;
    }
    return undefined;
  }

  for (const { title, patches } of breakages.filter(({ title }) => isLong || quickTitles.includes(title))) {
    it(`when it ${title}`, async function () {
      const found = await search(patches);
      expect(found, "no history breaks a promise").to.not.equal(undefined);
      if (found === undefined || this.test === undefined) return;
      const [{ promise } = { promise: "" }] = found.violations;
      this.test.title += `, after ${found.played}: ${promise}`;
    });
  }
});
