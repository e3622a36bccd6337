/**
 * Counts what the code goes through for one step of the engine: `node --require tsx/cjs bench/journeys.ts`. The counts show
 * whether a change makes the way from the engine to the service shorter, file by file and function by function.
 */
import { readdirSync, readFileSync } from "node:fs";
import { Session as Inspector } from "node:inspector/promises";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { Session } from "../provider/lifecycle/session";
import type { TypeName } from "../provider/resources/registry";
import type { PropertyMap } from "../provider/values/data";
import { hosts } from "../test/life/hosts";
import { servers } from "../test/life/sandboxService";
import type { OpenService, Setup } from "../test/life/server";
import { inVirtualTime } from "../test/unit/api/virtualTime";
import { examples } from "../test/unit/resources/examples";

const root = join(__dirname, "..");
const provider = join(root, "provider");

/** The folders whose lines are counted: the layers of the provider, and what is beside it. */
const folders = [
  ...["provider", "provider/values", "provider/api", "provider/lifecycle", "provider/resources"],
  ...["provider/functions", "provider/hosts", "cli", "sandbox/core", "sandbox/http", "test"],
];

type Step = "create" | "update" | "refresh";

/** The steps that the counts are about, each with what an update changes. */
const journeys: readonly Journey[] = [
  { type: "Connection", apis: "observability", step: "update", change: { username: "writer" } },
  { type: "Alert", apis: "management", step: "create" },
  { type: "Alert", apis: "management", step: "update", change: { threshold: 2 } },
  { type: "Alert", apis: "management", step: "refresh" },
  { type: "Dashboard", apis: "management", step: "update", change: { name: "Renamed" } },
  { type: "Service", apis: "management", step: "create" },
  { type: "Pipe", apis: "management", step: "update", change: { name: "renamed" } },
];

interface Journey {
  readonly type: TypeName;
  readonly apis: Setup["apis"];
  readonly step: Step;
  readonly change?: PropertyMap;
}

interface Counts {
  readonly files: number;
  readonly functions: number;
}

/** What the code did in a step: the files and functions that it entered, in all and in `lifecycle`, and more. */
interface Way {
  readonly all: Counts;
  readonly lifecycle: Counts;
  readonly requests: number;
  /** The most functions of the provider that stand between the host and `Session.call`. */
  readonly hops: number;
  readonly decodes: number;
}

async function main(): Promise<void> {
  const rows: string[] = [];
  for (const journey of journeys) {
    const { type, step } = journey;
    const { all, lifecycle, requests, hops, decodes } = await wayOf(journey);
    const counts = [all, lifecycle].flatMap(({ files, functions }) => [files, functions]);
    rows.push(`| ${type} ${step} | ${[...counts, hops, decodes, requests].join(" | ")} |`);
  }
  console.log(
    "| step | files | functions | files of lifecycle | functions of lifecycle | hops | decodes | requests |",
  );
  console.log(["|---|---|---|---|---|---|---|---|", ...rows].join("\n"));
  console.log(
    `\n| folder | lines |\n|---|---|\n${folders.map((name) => `| ${name} | ${linesIn(name)} |`).join("\n")}`,
  );
}

/** Counts the lines of code in a folder of the checkout. */
function linesIn(folder: string): number {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => /\.(ts|tsx|mjs)$/.test(name) && !name.includes("node_modules"));
  return files.reduce(
    (sum, name) => sum + readFileSync(join(root, folder, name), "utf8").split("\n").length - 1,
    0,
  );
}

async function wayOf(journey: Journey): Promise<Way> {
  const { apis } = journey;
  const server = servers.find(
    ({ setup }) => setup.dialect === "clickhouse" && setup.apis === apis && !setup.version,
  );
  if (!server) throw new Error(`no sandbox has ${apis}`);
  const service = await server.open();
  try {
    // The first run loads modules and fills what is made once; the later ones show what each further step does.
    let [hops, requests] = [0, 0];
    await played(journey, service, async (act) => {
      hops = await hopsDuring(act);
    });
    let entered: readonly Entered[] = [];
    await played(journey, service, async (act) => {
      const { length: before } = await service.requests();
      entered = await enteredDuring(act);
      requests = (await service.requests()).length - before;
    });
    const ofLifecycle = entered.filter(({ file }) => file.startsWith(`lifecycle${sep}`));
    const decodes = entered.reduce((sum, file) => sum + file.decodes, 0);
    return { all: countsOf(entered), lifecycle: countsOf(ofLifecycle), requests, hops, decodes };
  } finally {
    await service.close();
  }
}

/** Brings an object to where a step begins, in virtual time, and has `measure` act the step. */
async function played(
  { type, step, change }: Journey,
  service: OpenService,
  measure: (act: () => Promise<unknown>) => Promise<void>,
): Promise<void> {
  await service.reset();
  const program: PropertyMap = JSON.parse(JSON.stringify(Object.values(examples[type].wholes)[0]));
  await inVirtualTime(async () => {
    const start = async () => (await hosts["the dynamic host"](service.settings, () => undefined))(type);
    const first = await start();
    const { inputs } = await first.check({}, program);
    if (step === "create") return measure(() => first.create(inputs));
    const { id, state } = await first.create(inputs);
    const second = await start();
    if (step === "refresh") return measure(() => second.read(id, state, inputs));
    const { inputs: changed } = await second.check(inputs, { ...program, ...change });
    await second.diff(id, state, changed);
    return measure(() => second.update(id, state, changed));
  });
}

interface Entered {
  readonly file: string;
  readonly functions: number;
  /** How often the step made a type's inputs and outputs of an answer. */
  readonly decodes: number;
}

/** What the loader of TypeScript adds to each module, besides a getter for each export; the first function is the module. */
const isOfLoader = /^(?:|get|__\w+)$/;

/** Runs a step, and returns the functions of the provider that ran meanwhile, by file. */
async function enteredDuring(step: () => Promise<unknown>): Promise<readonly Entered[]> {
  const inspector = new Inspector();
  inspector.connect();
  await inspector.post("Profiler.enable");
  await inspector.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await step();
  const { result } = await inspector.post("Profiler.takePreciseCoverage");
  await inspector.post("Profiler.stopPreciseCoverage");
  inspector.disconnect();
  return result.flatMap(({ url, functions }) => {
    const path = url.startsWith("file:") ? fileURLToPath(url) : url;
    const file = relative(provider, path);
    if (file.startsWith("..") || path === file) return [];
    const ran = functions.filter(({ functionName, ranges: [whole] }) => {
      if (!whole || whole.count === 0 || isOfLoader.test(functionName)) return false;
      // The loader compiles without blanks.
      return whole.endOffset - whole.startOffset !== `()=>${functionName}`.length;
    });
    const decode = ran.find(({ functionName }) => functionName === "decode" && file.startsWith("resources"));
    const decodes = decode?.ranges[0]?.count ?? 0;
    return ran.length > 0 ? [{ file, functions: ran.length, decodes }] : [];
  });
}

const countsOf = (entered: readonly Entered[]): Counts => ({
  files: entered.length,
  functions: entered.reduce((sum, { functions }) => sum + functions, 0),
});

/** Counts the hops to `Session.call` during a step. */
async function hopsDuring(step: () => Promise<unknown>): Promise<number> {
  const { call } = Session.prototype;
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 200;
  let hops = 0;
  Session.prototype.call = function (this: Session, ...args: never[]) {
    const frames = new Error().stack?.split("\n").filter((line) => line.includes(`${provider}${sep}`)) ?? [];
    hops = Math.max(hops, frames.length);
    return (call as unknown as (...args: never[]) => never).apply(this, args);
  } as never;
  try {
    await step();
    return hops;
  } finally {
    Session.prototype.call = call;
    Error.stackTraceLimit = stackTraceLimit;
  }
}

void main();
