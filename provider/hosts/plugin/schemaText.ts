import { readDescriptions } from "../../descriptions";
import { type Package, packageSchema } from "./packageSchema";

/**
 * The package schema as JSON. In the plugin's bundle it is a text that the build has made (toolchain/pluginBundle.mjs), since
 * language hosts such as that of YAML ask for it in every run.
 */
export function schemaText(offer: Package): string {
  return JSON.stringify(packageSchema(offer, readDescriptions()));
}
