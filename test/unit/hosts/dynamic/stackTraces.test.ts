import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { Dashboard } from "../../../../provider/hosts/dynamic/dashboard";

const built = join(__dirname, "..", "..", "..", "..", "dist", "provider");

// In a program that Pulumi runs, Node reads source maps for each frame of a stack trace, which takes time. So the tests count
// the stack traces that declaring a resource formats.
describe("Stack traces when a resource is declared", () => {
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
    Error.stackTraceLimit = 10;
  });
  afterEach(() => {
    Error.prepareStackTrace = original.format;
    Error.stackTraceLimit = original.limit;
  });
  after(() => pulumi.runtime.resetOptions("", "", -1, "", "", false, ""));

  const declare = (name: string) => new Dashboard(name, { name: "Ingestion", tiles: [] });

  it("the declaration of a resource formats one stack trace, with frames of the program only", () => {
    declare("dashboard");
    expect(formatted).to.have.length(1);
    const frames = formatted[0] ?? [];
    // Pulumi's SDK removes its own frames and the frame of one constructor from stack traces, so the next frame must be the
    // program's.
    expect(frames.slice(5, 6)).to.deep.equal([__filename]);
    expect(
      frames.slice(5).filter((file) => file.includes("provider") || file.startsWith("node:")),
    ).to.deep.equal([]);
  });

  it("the declaration of a resource restores the formatting of stack traces, whether it succeeds or fails", () => {
    declare("another dashboard");
    expect(Error.prepareStackTrace).to.equal(format);
    expect(() => declare("")).to.throw("Missing resource name");
    expect(Error.prepareStackTrace).to.equal(format);
  });

  // If a built file named a source map, Pulumi's SDK would read the map for the first stack trace, which would be the slowest
  // part of declaring a resource.
  it("a built file of the package names no source map", async () => {
    for (const name of ["index.js", "host.js"])
      expect(await readFile(join(built, name), "utf8")).to.not.include("sourceMappingURL");
  });
});
