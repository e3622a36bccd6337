import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { Dashboard } from "../../../../provider/hosts/dynamic/dashboard";

const built = join(__dirname, "..", "..", "..", "..", "dist", "provider");

// What formats stack traces in a program that Pulumi runs: source maps are looked through for each frame.
describe("Stack traces of declarations", () => {
  const original = { format: Error.prepareStackTrace, limit: Error.stackTraceLimit };
  let formatted: string[][] = [];

  const format = (error: Error, frames: NodeJS.CallSite[]) => {
    formatted.push(frames.map((frame) => `${frame.getFileName()}`));
    const lines = frames.map((frame) => `    at call (${frame.getFileName()}:1:1)`);
    return [String(error), ...lines].join("\n");
  };

  before(() =>
    pulumi.runtime.setMocks({
      newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs }),
      call: () => ({}),
    }),
  );
  beforeEach(() => {
    formatted = [];
    Error.prepareStackTrace = format;
    // What node has, where no test runner has changed it.
    Error.stackTraceLimit = 10;
  });
  afterEach(() => {
    Error.prepareStackTrace = original.format;
    Error.stackTraceLimit = original.limit;
  });
  after(() => pulumi.runtime.resetOptions("", "", -1, "", "", false, ""));

  const declare = (name: string) => new Dashboard(name, { name: "Ingestion", tiles: [] });

  it("a declaration formats one stack trace, with the program's frames and without the package's", () => {
    declare("dashboard");
    expect(formatted).to.have.length(1);
    const frames = formatted[0] ?? [];
    // The SDK skips its own frames and that of one constructor.
    expect(frames.slice(5, 6)).to.deep.equal([__filename]);
    expect(
      frames.slice(5).filter((file) => file.includes("provider") || file.startsWith("node:")),
    ).to.deep.equal([]);
  });

  it("a declaration leaves the formatting of stack traces unchanged, whether it succeeds or fails", () => {
    declare("another dashboard");
    expect(Error.prepareStackTrace).to.equal(format);
    expect(() => declare("")).to.throw("Missing resource name");
    expect(Error.prepareStackTrace).to.equal(format);
  });

  // The SDK would read the map of a bundle for the first trace that goes through it: longer than all else takes.
  it("a declaration passes through a built file that names no source map", async () => {
    for (const name of ["index.js", "host.js"])
      expect(await readFile(join(built, name), "utf8")).to.not.include("sourceMappingURL");
  });
});
