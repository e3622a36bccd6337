import { expect } from "chai";
import { useFixture } from "./fixture";

describe("the option replaceOnChanges", () => {
  const fixture = useFixture({ host: "plugin" });
  const program = (name: string, width: number) => `
for (const [host, { ApiKey, Dashboard }] of Object.entries({ plugin: globalThis, dynamic: require("pipestack") })) {
  const roles = ["developer"];
  new ApiKey(host + "Key", { name: host + "${name}", roles }, { replaceOnChanges: ["name"] });
  new ApiKey(host + "Other", { name: host + "Other${name}", roles }, { replaceOnChanges: ["roles"] });
  const tiles = [{ name: "Errors", x: 0, y: 0, w: ${width}, h: 4, series: [{ type: "number", aggFn: "count", where: "" }] }];
  new Dashboard(host + "Board", { name: host, tiles }, { replaceOnChanges: ["tiles[*].w"] });
}`;
  const opsOf = ({ steps }: { steps: readonly { name: string; op: string }[] }) => {
    const done = steps.filter(({ op }) => ["update", "replace", "same"].includes(op));
    return Object.fromEntries(done.map(({ name, op }) => [name, op]));
  };
  const both = (ops: { Key: string; Other: string; Board: string }) =>
    Object.fromEntries(
      ["plugin", "dynamic"].flatMap((host) => Object.entries(ops).map(([name, op]) => [host + name, op])),
    );

  before(async () => {
    await fixture.write(program("One", 6));
    await fixture.up();
  });

  it("replaces a resource by a change of what it names, and updates it by another change, in both hosts", async () => {
    await fixture.write(program("Two", 6));
    expect(opsOf(await fixture.preview())).to.deep.equal(
      both({ Key: "replace", Other: "update", Board: "same" }),
    );
    await fixture.up();
    await fixture.write(program("Two", 8));
    expect(opsOf(await fixture.up())).to.deep.equal(both({ Key: "same", Other: "same", Board: "replace" }));
  });

  it("finds nothing to do afterwards, nor in a refresh", async () => {
    await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
  });
});
