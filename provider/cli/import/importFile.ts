import { tokenPrefix, typeToken } from "../../hosts/names";
import { importIdOf } from "../../lifecycle/import";
import { resources } from "../../resources/registry";
import { printable } from "../../values/printable";
import { stateForImport } from "../shared/stateForImport";
import type { NamedObject } from "./names";

/**
 * The file for `pulumi import --file`. It holds inputs and outputs for the dynamic host, which the engine cannot ask for
 * them; the plugin it asks for everything but where objects are.
 *
 * @param isElsewhere whether the settings name another scope than that of the objects
 */
export function importFileOf(
  objects: readonly NamedObject[],
  host: "dynamic" | "plugin",
  isElsewhere: boolean,
): string {
  const imported = objects.map(({ type, name, id, declared: inputs, state: outputs }) =>
    host === "plugin"
      ? { type: tokenPrefix + type, name, id: isElsewhere ? importIdOf(resources[type], id, inputs) : id }
      : { type: typeToken(type), name, id, ...stateForImport({ type, inputs, outputs, host }) },
  );
  return `${printable(JSON.stringify({ resources: imported }, null, 2))}\n`;
}
