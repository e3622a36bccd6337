import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { cachedFolder } from "./cache.mjs";
import { inCheckout, whenRunAsProgram } from "./checkout.mjs";
import { succeed } from "./command.mjs";
import { buildGoProgram, goPrograms } from "./goPrograms.mjs";
import { withProgress } from "./progress.mjs";
import { compile } from "./setup.mjs";

const sdk = inCheckout("sdk");

/**
 * Generates the SDKs of the resource plugin into sdk/, unless sdk/ already has those of this package schema: for Node, compiled
 * in `nodejs/bin`, for Python in `python` and for Go in `go`. The file `schema.json` beside them has the package schema.
 * @returns {Promise<string>} the folder
 */
export async function generateSdks() {
  await compile();
  const schema = packageSchema();
  const fingerprint = digest(schema, ...(await generatorSources()));
  const stamp = join(sdk, ".fingerprint");
  const isCurrent = async () => existsSync(stamp) && (await readFile(stamp, "utf8")) === fingerprint;
  if (await isCurrent()) return sdk;

  const generator = await sdkGenerator();
  await mkdir(inCheckout(".build"), { recursive: true });
  const draft = await mkdtemp(inCheckout(".build", "sdk-"));
  try {
    await withProgress("Generating the SDKs", async () => {
      await writeFile(join(draft, "schema.json"), schema);
      await succeed(generator, ["sdks", join(draft, "schema.json"), draft]);
      await compileForNode(join(draft, "nodejs"));
      await writeFile(join(draft, ".fingerprint"), fingerprint);
    });
    // Test files that run at once generate the same SDKs. The first ones are kept, since the process that made them uses them
    // already.
    if (!(await isCurrent())) {
      if (existsSync(sdk)) await rename(sdk, `${draft}-old`);
      await rename(draft, sdk);
    }
  } finally {
    for (const folder of [draft, `${draft}-old`]) await rm(folder, { recursive: true, force: true });
  }
  return sdk;
}

function packageSchema() {
  const load = createRequire(inCheckout("dist", "provider", "index.js"));
  const { packageSchema } = load("./hosts/plugin/packageSchema");
  const { offer } = load("./hosts/plugin/offer");
  const { readDescriptions } = load("./descriptions");
  return `${JSON.stringify(packageSchema(offer, readDescriptions()), undefined, 2)}\n`;
}

/** Builds the SDK generators of the Pulumi CLI as a separate program into the user's cache. */
async function sdkGenerator() {
  const { name } = goPrograms.sdkGenerator;
  const version = digest(...(await generatorSources())).slice(0, 8);
  const folder = await cachedFolder(`${name}-${version}`, (folder) =>
    buildGoProgram(goPrograms.sdkGenerator, folder),
  );
  return join(folder, name);
}

async function generatorSources() {
  const { wrapper } = goPrograms.sdkGenerator;
  const names = ["main.go", "sdks.go", "examples.go", "yaml.go"].map((name) => join("sdk-generator", name));
  return await Promise.all([...names, "go.mod"].map((name) => readFile(join(wrapper, name), "utf8")));
}

/**
 * Converts all programs of a folder to programs in every language. Default: the examples of the package schema.
 * @returns {Promise<string>} the text of provider/hosts/plugin/examples.json
 */
export async function generatedExamples(
  sources = join(goPrograms.sdkGenerator.wrapper, "sdk-generator", "examples"),
) {
  await compile();
  const schema = packageSchema();
  const names = (await readdir(sources)).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(sources, name), "utf8")));
  // The SDK generators are slow, so this code caches their results by the digest of their inputs.
  const version = digest(schema, ...names, ...texts, ...(await generatorSources())).slice(0, 16);
  const folder = await cachedFolder(`examples-${version}`, async (draft) => {
    await writeFile(join(draft, "schema.json"), schema);
    const { stdout } = await succeed(await sdkGenerator(), ["examples", join(draft, "schema.json"), sources]);
    const programs = JSON.parse(stdout, (_, value) =>
      typeof value === "string" ? `${value.trim()}\n` : value,
    );
    await writeFile(join(draft, "examples.json"), `${JSON.stringify(programs, undefined, 2)}\n`);
  });
  return await readFile(join(folder, "examples.json"), "utf8");
}

/**
 * Packs the SDK for Node as it is published: the compiled modules with the files of the package.
 * @param {string} folder
 */
async function compileForNode(folder) {
  await succeed(process.execPath, [inCheckout("node_modules", "typescript", "bin", "tsc"), "-p", folder]);
  for (const name of ["package.json", "README.md"])
    await copyFile(join(folder, name), join(folder, "bin", name));
}

/** Computes the digest of the inputs of a generator, by which its results are cached. @param {string[]} texts */
function digest(...texts) {
  return createHash("sha256").update(texts.join("\0")).digest("hex");
}

whenRunAsProgram(import.meta.url, async (args) => {
  if (args.includes("--examples"))
    await writeFile(inCheckout("provider", "hosts", "plugin", "examples.json"), await generatedExamples());
  else console.log(await generateSdks());
});
