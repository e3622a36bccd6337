import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../checkout.mjs";
import { succeed } from "../command.mjs";
import { archivedNodeVersion } from "../nodeVersions.mjs";
import { bundledPackages } from "../pluginBundle.mjs";

/**
 * @typedef {{ "bom-ref": string, type: string, name: string, version: string, purl?: string, licenses?: object[] }} Component a
 *   package in a bill of materials
 * @typedef {{ metadata: { component: Component }, components: Component[], dependencies?: { ref: string }[] }} Bill a bill of
 *   materials in the format CycloneDX, with the properties that the toolchain uses
 */

/** The options of `npm sbom` for each package of this repository. */
const selections = { pipestack: ["--workspaces=false"], "pipestack-sandbox": ["--workspace", "sandbox"] };

/**
 * Lets npm make the bill of materials of a package, which lists its dependencies in the tested versions.
 * @param {string} name
 * @param {string} version
 * @returns {Promise<Bill>}
 */
export async function billOfPackage(name, version) {
  const selection = selections[/** @type {keyof typeof selections} */ (name)];
  const options = ["--sbom-format", "cyclonedx", "--omit", "dev", "--package-lock-only", ...selection];
  const { stdout } = await succeed("npm", ["sbom", ...options], { cwd: root });
  /** @type {Bill} */
  const bill = JSON.parse(stdout);
  const components = [bill.metadata.component, ...bill.components];
  // npm's bill of materials calls a package of this repository by the name of its folder, and lists the sandbox's package below
  // the root package, to which it does not belong. So this code corrects the bill.
  const packed = components.find((component) => component["bom-ref"] === `${name}@${version}`);
  if (!packed) throw new Error(`the bill of materials of ${name} lacks ${name}@${version}`);
  return {
    ...bill,
    metadata: { ...bill.metadata, component: { ...packed, name } },
    components: components.filter(
      (component) => component !== packed && component !== bill.metadata.component,
    ),
    dependencies: (bill.dependencies ?? []).filter(
      ({ ref }) => ref === packed["bom-ref"] || ref !== bill.metadata.component["bom-ref"],
    ),
  };
}

/**
 * Makes the bill of materials of a resource plugin's archive, which lists Node and the packages in the plugin's bundle.
 * @param {string} version
 */
export async function billOfArchives(version) {
  const libraries = await Promise.all(
    (await bundledPackages()).map(async (folder) => {
      const { name, version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
      const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
      return { type: "library", "bom-ref": purl, name, version, purl, licenses: [{ expression: license }] };
    }),
  );
  const node = { type: "platform", "bom-ref": "node", name: "node", version: archivedNodeVersion };
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.5.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: {
      component: { type: "application", "bom-ref": "plugin", name: "pulumi-resource-pipestack", version },
    },
    components: [node, ...libraries],
  };
}
