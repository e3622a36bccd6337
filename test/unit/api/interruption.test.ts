import { expect } from "chai";
import { Interruption } from "../../../provider/api/interruption";
import { failureOf } from "./failure";
import { useVirtualTime } from "./virtualTime";

describe("The interruption of waits", () => {
  const time = useVirtualTime();
  const limitReason = "the time limit of 3 s (option customTimeouts) passed";
  let interruption: Interruption;
  beforeEach(() => {
    interruption = new Interruption();
  });

  async function pause(): Promise<number> {
    const begin = performance.now();
    await interruption.pause(5000);
    return performance.now() - begin;
  }

  // The tested time limit of 1e9 seconds is longer than a timer of Node can be (24.8 days).
  for (const [seconds, taken, reason] of [
    [0, 5000, undefined],
    [-1, 5000, undefined],
    [1e9, 5000, undefined],
    [3, 3000, limitReason],
  ] as const)
    it(`a wait of 5000 ms in a step with the time limit ${seconds} s ends after ${taken}, and leaves no timer`, async () => {
      await interruption.within(seconds, async () => {
        expect(await pause()).to.equal(taken);
        expect(interruption.reason()).to.equal(reason);
      });
      expect(time.timers).to.equal(0);
    });

  it("a time limit ends the waits of its own step, and not those of other steps", async () => {
    const limited = interruption.within(3, async () => {
      await pause();
      expect(await pause()).to.equal(0);
      expect(interruption.forAll(() => interruption.reason())).to.equal(undefined);
    });
    expect(await pause()).to.equal(5000);
    await limited;
    expect(interruption.reason()).to.equal(undefined);
  });

  it("a write under way continues after a cancellation, but not beyond its time limit", () =>
    interruption.within(3, async () => {
      const ends: string[] = [];
      interruption.onEnd((reason) => ends.push(`write: ${reason}`), true);
      interruption.onEnd((reason) => ends.push(`read: ${reason}`));
      const stop = interruption.onEnd(() => expect.fail("it is over"));
      stop();
      interruption.cancel();
      expect(ends).to.deep.equal(["read: cancelled"]);
      expect(interruption.reason(true)).to.equal(undefined);
      time.pass(3000);
      expect(interruption.reason(true)).to.equal(limitReason);
      expect(ends).to.include(`write: ${limitReason}`);
    }));

  it("a wait for a request that several callers share ends with the answer, a time limit or a cancellation", async () => {
    const wait = (shared: Promise<unknown> = new Promise(() => {})) =>
      interruption.until(shared, (reason) => new Error(`not answered: ${reason}`));
    const { message } = await interruption.within(3, () => failureOf(wait()));
    expect(message).to.equal(`not answered: ${limitReason}`);
    expect(await wait(Promise.resolve("answer"))).to.equal("answer");
    interruption.cancel();
    expect((await failureOf(wait())).message).to.equal("not answered: cancelled");
  });
});
