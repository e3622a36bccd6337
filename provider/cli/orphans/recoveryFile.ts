import { nameIn, tokenPrefix, typeToken } from "../../hosts/names";
import type { PreviewStep, StateResource } from "../engine/stack";
import { stateForImport } from "../shared/stateForImport";
import { isHidden } from "./declared";
import type { Recovered } from "./recoverable";

/** What the places of resources follow from. */
interface Places {
  /** Every resource of the program by its URN. */
  readonly declared: ReadonlyMap<string, PreviewStep>;
  /** The resources in the state. */
  readonly held: readonly StateResource[];
}

/** An import file, and the objects that it imports. */
export interface RecoveryFile {
  readonly text: string;
  /** All but those whose parent is neither in the state nor imported as well. */
  readonly imported: readonly Recovered[];
}

/** The import file of recovered objects, with the components that they are in. It holds no secret. */
export function recoveryFile(recovered: readonly Recovered[], places: Places): RecoveryFile {
  const entries = new Entries(places);
  // Parents before their children.
  const inOrder = [...recovered].sort((a, b) => depthOf(a.resource.urn) - depthOf(b.resource.urn));
  const imported = inOrder.filter((one) => entries.add(one));
  return { text: entries.text(), imported };
}

/** How many resources one is in: its URN has the types of all of them. */
function depthOf(urn: string): number {
  return (urn.split("::")[2] ?? "").split("$").length;
}

class Entries {
  readonly #entries: object[] = [];
  readonly #nameTable: { [name: string]: string } = {};
  /** What the file calls resources, by their URNs: several of different types may have one name in the program. */
  readonly #names = new Map<string, string>();
  readonly #places: Places;

  constructor(places: Places) {
    this.#places = places;
  }

  /** Whether there was a place for it. */
  add({ resource, orphan, inputs, state: outputs }: Recovered): boolean {
    const { urn, type, host } = resource;
    const parent = this.#parentOf(urn);
    if (!parent) return false;
    const secrets = Object.keys(resource.inputs).filter((name) => isHidden(resource.inputs[name]));
    this.#entries.push({
      type: host === "plugin" ? `${tokenPrefix}${type}` : typeToken(type),
      name: this.#nameOf(urn),
      logicalName: nameIn(urn),
      id: orphan.id,
      ...parent,
      ...stateForImport({ type, inputs, outputs, secrets, host }),
    });
    return true;
  }

  text(): string {
    return `${JSON.stringify({ nameTable: this.#nameTable, resources: this.#entries }, null, 2)}\n`;
  }

  #nameOf(urn: string): string {
    const name = `resource${this.#names.size}`;
    this.#names.set(urn, name);
    return name;
  }

  /** The member that says what a resource is in; undefined if the state has no place for it. */
  #parentOf(urn: string): { readonly parent?: string } | undefined {
    const { declared, held } = this.#places;
    const parent = declared.get(urn)?.newState?.parent;
    if (parent === undefined || parent.includes("::pulumi:pulumi:Stack::")) return {};
    const known = this.#names.get(parent);
    if (known) return { parent: known };
    if (held.some((resource) => resource.urn === parent && !resource.delete)) {
      const name = this.#nameOf(parent);
      this.#nameTable[name] = parent;
      return { parent: name };
    }
    const component = declared.get(parent)?.newState;
    if (component?.custom !== false) return undefined;
    const place = this.#parentOf(parent);
    if (!place) return undefined;
    const name = this.#nameOf(parent);
    this.#entries.push({
      type: component.type,
      name,
      logicalName: nameIn(parent),
      component: true,
      ...place,
    });
    return { parent: name };
  }
}
