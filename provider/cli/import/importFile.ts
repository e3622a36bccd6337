import { printable } from "../../api/printable";
import { providerString } from "../../hosts/dynamic/managedResource";
import type { Data } from "../../lifecycle/data";
import { resourceTypes } from "../shared/resourceTypes";
import { secretValue } from "../shared/secretValue";
import { typeToken } from "../shared/typeNames";
import type { NamedObject } from "./names";

/**
 * The file for `pulumi import --file`. It holds inputs and outputs, so that the engine takes them over without asking
 * the provider, which it cannot do for a dynamic one.
 */
export function importFileOf(objects: readonly NamedObject[]): string {
  const resources = objects.map(({ type, name, id, declared, state }) => {
    const code = { __provider: providerString(type) };
    return {
      type: typeToken(type),
      name,
      id,
      inputs: { ...declared, ...code },
      outputs: { ...withoutSecrets(state, resourceTypes[type].secrets ?? []), ...code },
    };
  });
  return `${printable(JSON.stringify({ resources }, null, 2))}\n`;
}

/**
 * Secret outputs are there as empty secrets: the file holds none, and the engine keeps secret what the next refresh
 * finds in their place.
 */
function withoutSecrets(state: Data, secrets: readonly string[]): Data {
  return Object.fromEntries(
    Object.entries(state).map(([name, value]) => [name, secrets.includes(name) ? secretValue("") : value]),
  );
}
