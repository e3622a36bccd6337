import { join } from "node:path";
import { expect } from "chai";
import { projectIn, useFixture } from "./fixture";

const example = join(__dirname, "..", "..", "examples", "key-rotation");
const day = 24 * 60 * 60 * 1000;

describe("The example program key-rotation", () => {
  const fixture = useFixture({ host: "dynamic", projectFile: projectIn(example) });
  const keys = () =>
    new Map([...fixture.sandbox.store.keys.values()].map(({ id, name }) => [id, name] as const));
  const made = (step: { op: string }) => step.op === "create-replacement";

  it("the example key-rotation creates its API keys without a warning", async () => {
    expect((await fixture.up()).output).to.not.include("warning");
    expect(keys().size).to.be.greaterThan(1);
  });

  it("the example key-rotation replaces its two API keys in turn every 30 days", async () => {
    const secrets = new Set<unknown>();
    const replaced: string[] = [];
    for (const _ of [1, 2, 3]) {
      fixture.pass(30 * day);
      const { steps } = await fixture.up({ args: ["--skip-preview", "--target", "**reporting-**"] });
      replaced.push(...steps.filter(made).map(({ name }) => name));
      const { keySecret } = await fixture.outputsOf("pipestack-key-rotation-dev");
      secrets.add(JSON.stringify(keySecret));
    }
    expect(secrets.size, "secrets that the program has put out").to.equal(3);
    expect(new Set(replaced).size).to.equal(2);
    expect(replaced).to.have.length(3);
    expect(replaced[0]).to.equal(replaced[2]);
  });
});
