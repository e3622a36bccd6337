import { printable } from "../../api/printable";
import { providerString, typeToken } from "../../hosts/dynamic/frozenNames";
import { tokenPrefix } from "../../hosts/plugin/tokens";
import type { Data } from "../../lifecycle/data";
import { importIdOf } from "../../lifecycle/import";
import { type Resource, secretsOf } from "../../lifecycle/resource";
import { annotationsOf, schemaAt } from "../../lifecycle/schema";
import { resources } from "../../resources/registry";
import { secretValue } from "../shared/secretValue";
import type { NamedObject } from "./names";

/**
 * The file for `pulumi import --file`. It holds inputs and outputs, because the engine cannot ask a dynamic provider for
 * them.
 */
export function importFileOf(objects: readonly NamedObject[]): string {
  const imported = objects.map(({ type, name, id, declared, state }) => {
    const code = { __provider: providerString(type) };
    return {
      type: typeToken(type),
      name,
      id,
      inputs: { ...withoutSecrets(declared, resources[type]), ...code },
      outputs: { ...withoutSecrets(state, resources[type]), ...code },
    };
  });
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

/**
 * The file holds no secret: what stands in its place makes the engine encrypt what the next refresh finds, and passes the
 * check of the import.
 */
function withoutSecrets(state: Data, resource: Resource): Data {
  const secrets = secretsOf(resource);
  return Object.fromEntries(
    Object.entries(state).map(([name, value]) => {
      const { standIn = "" } = annotationsOf(schemaAt(resource.inputs, name));
      return [name, secrets.includes(name) ? secretValue(standIn) : value];
    }),
  );
}
