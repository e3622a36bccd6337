import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../checkout.mjs";
import { succeed } from "../command.mjs";
import { archivedNodeVersion } from "../nodeVersions.mjs";
import { bundledPackages } from "../pluginBundle.mjs";

/**
 * A bill of materials in the format CycloneDX, as far as it is looked at here.
 * @typedef {{ "bom-ref": string, type: string, name: string, version: string, purl?: string, licenses?: object[] }} Component
 * @typedef {{ metadata: { component: Component }, components: Component[], dependencies?: { ref: string }[] }} Bill
 */

/** What `npm sbom` is asked for each package. */
const selections = { pipestack: ["--workspaces=false"], "pipestack-sandbox": ["--workspace", "sandbox"] };

/**
 * What a package brings with it, in the versions that it is tested with: its bill of materials, made by npm.
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
  // npm calls a package by its folder, and puts a workspace below the root, of which it is no part.
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
 * What an archive of the plugin holds: Node, and the packages of which the bundle has modules.
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
