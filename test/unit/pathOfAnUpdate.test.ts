import { readFileSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { createSandbox, type Sandbox } from "../../sandbox/index";
import { settingsOf } from "../serviceContents";
import { type Host, hostWith, withoutEnvironment } from "./hosts/dynamic/hostProcess";

const checkout = join(__dirname, "..", "..");
const document = join(checkout, "docs", "architecture.md");
const begin = "<!-- steps, by PIPESTACK_WRITE_TRACE=1 npx mocha test/unit/pathOfAnUpdate.test.ts -->\n";
const end = "<!-- end of steps -->\n";

/** Read before the tests take the settings out of the environment. */
const writes = Boolean(process.env.PIPESTACK_WRITE_TRACE);

/** Functions that the compiler adds to a module: names, the initializers of classes. */
const ofCompiler = ["", "get", "__name", "<instance_members_initializer>"];

/** The getter of an export, which reads a constant, too, as `()=>name`. */
const isGetter = (name: string, { startOffset, endOffset }: { startOffset: number; endOffset: number }) =>
  endOffset - startOffset === `()=>${name}`.length;

/** Functions of the provider by their files. */
type Entered = ReadonlyMap<string, readonly string[]>;

/** The named functions of provider/ that a step enters, by file. Those of values/ are leaves: they call nothing back. */
async function enteredBy(step: () => Promise<unknown>): Promise<Entered> {
  const inspector = new Session();
  inspector.connect();
  try {
    await inspector.post("Profiler.enable");
    await inspector.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    await step();
    const { result } = await inspector.post("Profiler.takePreciseCoverage");
    const files = result.flatMap(({ url, functions }) => {
      const path = url.startsWith("file:") ? fileURLToPath(url) : url;
      const file = relative(join(checkout, "provider"), path);
      const names = functions
        .filter(
          ({ ranges: [range], functionName }) =>
            range && range.count > 0 && !ofCompiler.includes(functionName) && !isGetter(functionName, range),
        )
        .map(({ functionName }) => functionName);
      return file.startsWith("..") || file.startsWith("values/") || names.length === 0
        ? []
        : [[file.replaceAll("\\", "/"), [...new Set(names)]] as const];
    });
    return new Map(files);
  } finally {
    inspector.disconnect();
  }
}

const layers = ["hosts", "resources", "lifecycle", "api"];

function tableOf(entered: Entered): string {
  const rankOf = (file: string) => layers.indexOf(file.split("/")[0] ?? "");
  const files = [...entered].sort(
    ([one], [other]) => rankOf(one) - rankOf(other) || one.localeCompare(other),
  );
  const rows = files.map(
    ([file, names]) => `| ${file} | ${names.map((name) => `\`${name}\``).join(", ")} |\n`,
  );
  return `| file | functions |\n|---|---|\n${rows.join("")}`;
}

describe("The path of a step through the provider", () => {
  const alertOn = (webhookId: unknown) => ({
    name: "Slow queries",
    source: "search",
    threshold: 5,
    thresholdType: "above",
    interval: "5m",
    channel: { type: "webhook", webhookId },
  });
  const series = [{ type: "number", aggFn: "count" }];
  const board = { name: "Board", tiles: [{ name: "Errors", x: 0, y: 0, w: 6, h: 4, series }] };
  const steps = new Map<string, Entered>();
  let sandbox: Sandbox;
  let restore: () => void;

  /** The three steps whose paths are followed, on a host of their own. */
  async function run(host: Host, follow: (name: string, step: () => Promise<unknown>) => Promise<void>) {
    const alert = alertOn([...sandbox.store.webhooks.values()][0]?.id);
    await follow("create of an Alert with its check", async () => {
      const { inputs } = await host.Alert.check({}, alert);
      await host.Alert.create(inputs);
    });
    const { inputs } = await host.Dashboard.check({}, board);
    const { id, outs = {} } = await host.Dashboard.create(inputs);
    await follow("update of a Dashboard", () =>
      host.Dashboard.update(id, outs, { ...(inputs as object), name: "Other" }),
    );
    const later = hostWith(settingsOf(sandbox));
    await later.Alert.check({}, alert);
    await follow("refresh of a Dashboard", () => later.Dashboard.read(id, outs));
  }

  before(async () => {
    restore = withoutEnvironment();
    sandbox = await createSandbox();
    // What a step loads first is not its path.
    await run(hostWith(settingsOf(sandbox)), async (_name, step) => void (await step()));
    await run(
      hostWith(settingsOf(sandbox)),
      async (name, step) => void steps.set(name, await enteredBy(step)),
    );
  });
  after(async () => {
    await sandbox.close();
    restore();
  });

  for (const [name, most] of [
    ["create of an Alert with its check", 34],
    ["update of a Dashboard", 29],
    ["refresh of a Dashboard", 26],
  ] as const)
    it(`a step of a resource enters at most ${most} files: ${name}`, () => {
      const files = [...(steps.get(name)?.keys() ?? [])];
      expect(files.length, files.join(", ")).to.be.within(10, most);
    });

  it("docs/architecture.md shows the current path of an update", () => {
    const table = tableOf(steps.get("update of a Dashboard") ?? new Map());
    const text = readFileSync(document, "utf8");
    const [before, after] = [text.indexOf(begin) + begin.length, text.indexOf(end)];
    if (writes) writeFileSync(document, text.slice(0, before) + table + text.slice(after));
    expect(readFileSync(document, "utf8").slice(before).split(end)[0]).to.equal(table);
  });
});
