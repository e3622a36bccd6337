import { nameIn, tokenPrefix, typeToken } from "../../hosts/names";
import type { PreviewStep, StateResource } from "../engine/stack";
import { stateForImport } from "../shared/stateForImport";
import { isHidden } from "./declared";
import type { Recovered } from "./recoverable";

/** An import file, and the objects that it imports. */
export interface RecoveryFile {
  readonly text: string;
  /** All but those whose parent is neither in the state nor imported as well. */
  readonly imported: readonly Recovered[];
}

/**
 * The import file of recovered objects, with the components that they are in. It holds no secret.
 *
 * @param declared every resource of the program by its URN
 * @param held the resources in the state
 */
export function recoveryFile(
  recovered: readonly Recovered[],
  declared: ReadonlyMap<string, PreviewStep>,
  held: readonly StateResource[],
): RecoveryFile {
  const entries: object[] = [];
  const nameTable: { [name: string]: string } = {};
  // What the file calls resources, by their URNs: several of different types may have one name in the program.
  const names = new Map<string, string>();
  const nameFor = (urn: string): string => {
    const name = `resource${names.size}`;
    names.set(urn, name);
    return name;
  };
  /** The member that says what a resource is in; undefined if the state has no place for it. */
  const parentOf = (urn: string): { readonly parent?: string } | undefined => {
    const parent = declared.get(urn)?.newState?.parent;
    if (parent === undefined || parent.includes("::pulumi:pulumi:Stack::")) return {};
    const known = names.get(parent);
    if (known) return { parent: known };
    if (held.some((resource) => resource.urn === parent && !resource.delete)) {
      const name = nameFor(parent);
      nameTable[name] = parent;
      return { parent: name };
    }
    const component = declared.get(parent)?.newState;
    const place = component?.custom === false ? parentOf(parent) : undefined;
    if (!component || !place) return undefined;
    const name = nameFor(parent);
    entries.push({ type: component.type, name, logicalName: nameIn(parent), component: true, ...place });
    return { parent: name };
  };
  // Parents before their children.
  const imported = [...recovered].sort((a, b) => depthOf(a.resource.urn) - depthOf(b.resource.urn));
  const placed = imported.filter(({ resource, orphan, inputs, state: outputs }) => {
    const { urn, type, host } = resource;
    const place = parentOf(urn);
    if (!place) return false;
    const secrets = Object.keys(resource.inputs).filter((name) => isHidden(resource.inputs[name]));
    entries.push({
      type: host === "plugin" ? tokenPrefix + type : typeToken(type),
      name: nameFor(urn),
      logicalName: nameIn(urn),
      id: orphan.id,
      ...place,
      ...stateForImport({ type, inputs, outputs, secrets, host }),
    });
    return true;
  });
  return { text: `${JSON.stringify({ nameTable, resources: entries }, null, 2)}\n`, imported: placed };
}

/** How many resources one is in: its URN has the types of all of them. */
function depthOf(urn: string): number {
  return (urn.split("::")[2] ?? "").split("$").length;
}
