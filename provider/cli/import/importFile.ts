import { tokenPrefix, typeToken } from "../../hosts/names";
import { importIdOf } from "../../lifecycle/import";
import { resources } from "../../resources/registry";
import { printable } from "../../values/printable";
import { stateForImport } from "../shared/stateForImport";
import type { NamedObject } from "./names";

/**
 * The file for `pulumi import --file`. It holds inputs and outputs, because the engine cannot ask a dynamic provider for
 * them.
 */
export function importFileOf(objects: readonly NamedObject[]): string {
  const imported = objects.map(({ type, name, id, declared, state }) => ({
    type: typeToken(type),
    name,
    id,
    ...stateForImport({ type, inputs: declared, outputs: state, host: "dynamic" }),
  }));
  return `${printable(JSON.stringify({ resources: imported }, null, 2))}\n`;
}

/**
 * The same for the plugin, which the engine asks for everything else.
 *
 * @param isElsewhere whether the ids have to say where the objects are, because the settings name another scope
 */
export function pluginImportFileOf(objects: readonly NamedObject[], isElsewhere: boolean): string {
  const imported = objects.map(({ type, name, id, declared }) => ({
    type: tokenPrefix + type,
    name,
    id: isElsewhere ? importIdOf(resources[type], id, declared) : id,
  }));
  return `${printable(JSON.stringify({ resources: imported }, null, 2))}\n`;
}
