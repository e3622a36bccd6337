import { secretMark, signature } from "../../provider/engine/engineValues";
import { providerString } from "../../provider/engine/names";
import { secretsOf } from "../../provider/lifecycle/definition";
import type { Resource } from "../../provider/lifecycle/resource";
import { shownPart, withStandIns } from "../../provider/lifecycle/state";
import { resources, type TypeName } from "../../provider/resources/registry";
import { isObject, type PropertyMap } from "../../provider/values/data";
import { annotationsOf, schemaAt } from "../../provider/values/schema";

interface StateView {
  readonly type: TypeName;
  readonly inputs: PropertyMap;
  readonly outputs: PropertyMap;
  /** Names of inputs that the program marks as secret, in addition to those that are always secret. */
  readonly secrets?: readonly string[];
  readonly host: "dynamic" | "plugin";
}

/** The inputs and outputs of an object for an import file, so that the engine does not have to ask the provider for them. */
export function stateForImport({ type, inputs, outputs, secrets: further = [], host }: StateView): {
  readonly inputs: PropertyMap;
  readonly outputs: PropertyMap;
} {
  const code = host === "dynamic" ? { __provider: providerString(type) } : {};
  const resource: Resource = resources[type];
  const secrets = [...secretsOf(resource), ...further];
  const standIns = Object.keys(shownPart(resource, inputs)).filter((name) => secrets.includes(name));
  return {
    inputs: { ...withoutSecrets(inputs, resource, secrets), ...code },
    outputs: { ...withStandIns(withoutSecrets(outputs, resource, secrets), standIns), ...code },
  };
}

/**
 * Replaces secrets by placeholders, so that the import file holds none. A placeholder makes the engine encrypt the value that
 * the next refresh finds, and passes the check of the import. A secret that the API never returns is left out, so that the next
 * update sets it: a placeholder would count as a changed value, and might replace the object.
 */
function withoutSecrets(state: PropertyMap, resource: Resource, secrets: readonly string[]): PropertyMap {
  return Object.fromEntries(
    Object.entries(state).flatMap(([name, value]) => {
      const { standIn = "", shown } = annotationsOf(schemaAt(resource.inputs, name));
      if (!secrets.includes(name)) return [[name, value]];
      const encrypted = { [signature]: secretMark, plaintext: JSON.stringify(standIn) };
      return shown === "never" ? [] : [[name, encrypted]];
    }),
  );
}

/** The text that the CLI shows in place of every secret. */
export const hidden = "[secret]";

/** Whether a value, or anything inside it, is secret and therefore not shown. */
export function isHidden(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return value === hidden;
  return Object.values(value).some(isHidden);
}

/** Whether a value of a Pulumi state, or anything inside it, is encrypted. */
export function isSecret(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isSecret);
  if (!isObject(value)) return false;
  return value[signature] === secretMark || Object.values(value).some(isSecret);
}
