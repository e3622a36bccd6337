import { expect } from "chai";
import { Interruption } from "../../../provider/api/interruption";
import { failureOf } from "./failure";
import { useVirtualTime } from "./virtualTime";

describe("an interruption", () => {
  const time = useVirtualTime();
  const never = new Promise<never>(() => {});
  const limitReason = "the time limit of 3 s (customTimeouts) was over";

  /** Milliseconds that a step takes. */
  async function taken(step: () => Promise<unknown>): Promise<number> {
    const begin = performance.now();
    await step();
    return performance.now() - begin;
  }

  it("lets a step wait as long as nothing ends it", async () => {
    const interruption = new Interruption();
    expect(interruption.reason()).to.equal(undefined);
    expect(await taken(() => interruption.pause(5000))).to.equal(5000);
  });

  it("ends the waits of a step with its time limit, and not those of others", async () => {
    const interruption = new Interruption();
    const limited = interruption.within(3, async () => {
      expect(await taken(() => interruption.pause(5000))).to.equal(3000);
      expect(interruption.reason()).to.equal(limitReason);
      expect(await taken(() => interruption.pause(5000))).to.equal(0);
      expect(interruption.forAll(() => interruption.reason())).to.equal(undefined);
    });
    expect(await taken(() => interruption.pause(5000))).to.equal(5000);
    await limited;
  });

  it("has no time limit of 0, and none that a timer cannot hold ends at once", async () => {
    const interruption = new Interruption();
    for (const seconds of [0, -1, 1e9]) {
      await interruption.within(seconds, () => interruption.pause(5000));
      expect(await interruption.within(seconds, async () => interruption.reason())).to.equal(undefined);
    }
  });

  it("leaves no timer of a step that has ended", async () => {
    await new Interruption().within(3, async () => undefined);
    expect(time.timers).to.equal(0);
  });

  it("ends everything when it is cancelled, now and from now on", async () => {
    const interruption = new Interruption();
    const waiting = taken(() => interruption.pause(5000));
    interruption.cancel();
    expect(await waiting).to.equal(0);
    expect(await taken(() => interruption.pause(5000))).to.equal(0);
    expect(time.timers).to.equal(0);
    expect(interruption.reason()).to.equal("cancelled");
  });

  it("lets a write under way go on when it is cancelled, but not beyond its time limit", async () => {
    const interruption = new Interruption();
    await interruption.within(3, async () => {
      const ends: string[] = [];
      interruption.onEnd((reason) => ends.push(`write: ${reason}`), true);
      interruption.onEnd((reason) => ends.push(`read: ${reason}`));
      interruption.cancel();
      expect(ends).to.deep.equal(["read: cancelled"]);
      expect(interruption.reason(true)).to.equal(undefined);
      time.pass(3000);
      expect(interruption.reason(true)).to.equal(limitReason);
      expect(ends).to.include(`write: ${limitReason}`);
    });
  });

  it("calls nobody back whose step has ended", () => {
    const interruption = new Interruption();
    const stop = interruption.onEnd(() => expect.fail("it is over"));
    stop();
    interruption.cancel();
  });

  it("ends one wait for a shared result, and not those of others", async () => {
    const interruption = new Interruption();
    const until = () => interruption.until(never, (reason) => new Error(`not answered: ${reason}`));
    const failure = await interruption.within(3, () => failureOf(until()));
    expect(failure.message).to.equal(`not answered: ${limitReason}`);
    expect(await interruption.until(Promise.resolve("answer"), () => new Error("late"))).to.equal("answer");
    interruption.cancel();
    expect((await failureOf(until())).message).to.equal("not answered: cancelled");
  });
});
