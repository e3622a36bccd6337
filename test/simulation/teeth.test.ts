import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { type Breakage, breakages } from "./breakages";
import { knownFaults } from "./knownFaults";
import { loadSimulator } from "./loader";
import type { Simulator } from "./simulator";
import { VirtualTime } from "./virtualTime";

/** The table shows after how many histories each breakage was found when it was last written. */
const document = join(__dirname, "../../docs/testing.md");
const simulator = loadSimulator();
const isWriting = process.env.PIPESTACK_WRITE_TEETH !== undefined;
const mostHistories = Number(process.env.SIMULATIONS ?? 3000);

/** The same in every run, whatever its seed. */
const firstSeed = 1_000_000;

const heading = "| promise | broken by a provider that … (found after so many histories) |\n|---|---|\n";

describe("A provider that is broken on purpose", function () {
  this.timeout(0);
  const known = tableIn(readFileSync(document, "utf8"));
  const found = new Map<string, Found>();
  let time: VirtualTime;
  let whole: Simulator;

  before(() => {
    time = new VirtualTime();
    whole = new simulator.Simulator(time, [], knownFaults);
  });
  after(() => {
    time.end();
    // A run of some breakages alone leaves the rows of all others.
    const rows = breakages.map(({ title }) => [title, found.get(title) ?? known.get(title)] as const);
    if (isWriting) write(rows.flatMap(([title, row]) => (row ? [[title, row]] : [])));
  });

  /** The promise that the broken provider breaks in a history, and the whole one keeps with all others. */
  async function brokenIn(index: number, broken: Simulator): Promise<string | undefined> {
    const history = broken.historyOf(firstSeed + index - 1);
    const { violations } = await broken.play(history);
    if (violations.length === 0 || (await whole.play(history)).violations.length > 0) return undefined;
    return violations[0]?.promise;
  }

  async function search({ title, patches }: Breakage): Promise<Found | undefined> {
    const broken = new simulator.Simulator(time, patches, knownFaults);
    const [last] = (isWriting ? undefined : known.get(title)) ?? [];
    const promise = last && (await brokenIn(last, broken));
    if (last && promise) return [last, promise];
    for (let index = 1; index <= mostHistories; index++) {
      const promise = await brokenIn(index, broken);
      if (promise) return [index, promise];
    }
    return undefined;
  }

  for (const breakage of breakages) {
    it(`finds a provider that ${breakage.title}`, async () => {
      const result = await search(breakage);
      expect(result, `none of ${mostHistories} histories shows it`).to.not.equal(undefined);
      if (result) found.set(breakage.title, result);
    });
  }

  it("the document names every breakage", () => {
    if (isWriting) return;
    expect([...known.keys()].sort(), "PIPESTACK_WRITE_TEETH=1 writes the table").to.deep.equal(
      breakages.map(({ title }) => title).sort(),
    );
  });
});

/** After how many histories a breakage was found, and by which promise. */
type Found = readonly [count: number, promise: string];

/** Those of the table. */
function tableIn(text: string): ReadonlyMap<string, Found> {
  const rows = text.slice(text.indexOf(heading) + heading.length).split("\n\n")[0] ?? "";
  return new Map(
    rows.split("\n").flatMap((row) => {
      const [, promise = "", cell = ""] = row.split("|").map((one) => one.trim());
      const found = [...cell.matchAll(/([^;]+) \((\d+)\)/g)];
      return found.map(([, title = "", count]) => [title.trim(), [Number(count), promise]] as const);
    }),
  );
}

function write(found: readonly (readonly [string, Found])[]): void {
  const text = readFileSync(document, "utf8");
  const start = text.indexOf(heading) + heading.length;
  const sorted = [...found].sort(([, [one]], [, [other]]) => one - other);
  const rows = [...new Set(sorted.map(([, [, promise]]) => promise))].map((promise) => {
    const broken = sorted.filter(([, [, other]]) => other === promise);
    return `| ${promise} | ${broken.map(([title, [count]]) => `${title} (${count})`).join("; ")} |`;
  });
  writeFileSync(document, text.slice(0, start) + rows.join("\n") + text.slice(text.indexOf("\n\n", start)));
}
