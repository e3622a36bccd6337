import { expect } from "chai";
import { useVirtualTime } from "../unit/api/virtualTime";
import { Keys } from "./rate";

describe("The keys of an acceptance run", () => {
  useVirtualTime();

  it("send no more requests than their rate allows, each on its own", async () => {
    const keys = new Keys(["a", "b"], { requests: 3, seconds: 10 });
    const started = Date.now();
    const sent: [string, number][] = [];
    for (let at = 0; at < 12; at++) sent.push([await keys.next(), Math.round((Date.now() - started) / 1000)]);
    const secondsOf = (key: string) => sent.flatMap(([own, at]) => (own === key ? [at] : []));
    expect(secondsOf("a")).to.deep.equal([0, 0, 0, 10, 10, 10]);
    expect(secondsOf("b")).to.deep.equal([0, 0, 0, 10, 10, 10]);
  });
});
