import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { pulumiThatAnswers, runHere } from "../runHere";

const type = "pipestack:index:Pipe";
const urn = `urn:pulumi:dev::test::${type}::orders`;

/** Sentences that no version of the provider has written: the exit code may depend on none of their words. */
const sentence = "pipestack: nobody has looked at it, for some reason";

describe("The exit code of pipestack drift after a refresh that skipped a resource", () => {
  if (process.platform === "win32") return;
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "pipestack-drift-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function driftAfter(...warnings: string[]) {
    const inputs = { name: "orders" };
    const resource = { urn, type, id: "p 1", custom: true, inputs, outputs: {} };
    const metadata = { op: "same", urn, old: { inputs }, new: { inputs, outputs: {} } };
    const events = [
      { resOutputsEvent: { metadata } },
      ...warnings.map((text) => ({
        diagnosticEvent: { severity: "warning", message: `warning: ${text}\n` },
      })),
    ];
    await writeFile(join(folder, "events"), events.map((event) => `${JSON.stringify(event)}\n`).join(""));
    await writeFile(
      join(folder, "state"),
      JSON.stringify({ version: 3, deployment: { resources: [resource] } }),
    );
    const variables = await pulumiThatAnswers(folder, {
      refresh: `cat "${folder}/events"`,
      stack: `cat "${folder}/state"`,
    });
    const { code, stdout } = await runHere(["drift", "--json"], folder, variables);
    return [code, stdout && JSON.parse(stdout).uncompared.map(({ reason }: { reason: string }) => reason)];
  }

  it("pipestack drift exits with 1 for a pipe whose service does not run, by the warning's code alone", async () => {
    expect(await driftAfter(`${sentence} [uncompared notRunning Pipe p 1]`)).to.deep.equal([
      1,
      ["notRunning"],
    ]);
  });

  it("pipestack drift exits with 1 if codes say that it compared nothing, for new objects and types without a route", async () => {
    expect(await driftAfter(`${sentence} [uncompared new Pipe p 1]`)).to.deep.equal([1, ""]);
    expect(await driftAfter(`${sentence} [uncompared noRoute Pipe]`)).to.deep.equal([1, ""]);
  });

  it("pipestack drift exits with 0 after warnings without a code, about others, or with a code amid the text", async () => {
    for (const text of [
      `${sentence}: Pipe p 1: not compared, since its service does not run`,
      `${sentence} [uncompared notRunning Pipe p 11]`,
      `${sentence} [uncompared new Alert p 1]`,
      `${sentence} [uncompared noRoute Alert]`,
      `${sentence} [uncompared elsewhere Pipe p 1]`,
      `${sentence}: a server answered [uncompared notRunning Pipe p 1] in its reason`,
    ])
      expect(await driftAfter(text), text).to.deep.equal([0, []]);
  });
});
