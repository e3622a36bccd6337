import { resources } from "../../provider/resources/registry";
import type { FoundObject } from "./discover";

export interface NamedObject extends FoundObject {
  /** The name of the object's resource, unique among those of its type. */
  readonly name: string;
  /** The name of the resource's variable, unique in the generated program. */
  readonly variable: string;
}

/** Maximum number of characters of a resource's name, so that the first line of its declaration has at most 100 characters. */
const longestName = 34;
const longestVariable = 24;

/** Names resources and variables, by the names that the resources had in another tool, or else by the names of the objects. */
export function nameObjects(
  objects: readonly FoundObject[],
  variables = variablesOfProgram(),
): NamedObject[] {
  const names = new Names();
  const services = new Map(
    objects.flatMap(({ type, id, declared }) => (type === "Service" ? [[id, declared.name]] : [])),
  );
  return objects.map((object) => {
    const noun = slug(resources[object.type].noun, longestVariable);
    const { name: ownName, serviceId } = object.declared;
    // If several services are imported, a nameless object such as a scaling is named after its service.
    const ofService = services.size > 1 ? `${services.get(String(serviceId)) ?? ""} ${noun}` : noun;
    const text =
      slug(object.name ?? String(ownName ?? ""), longestName) || slug(ofService, longestName) || noun;
    const prefix = `${object.type} `;
    const name = names.take(prefix + (object.name ?? text), "-").slice(prefix.length);
    const variable = variables.take(variableName(text, noun, variables), "");
    return { ...object, name, variable };
  });
}

/** Names variables for the objects that the generated program only looks up. */
export function nameLookups<Item extends { readonly noun: string; readonly name: string }>(
  lookups: readonly Item[],
  variables: Names,
): (Item & { readonly variable: string })[] {
  return lookups.map((lookup) => {
    const text = `${slug(lookup.name, longestVariable)}-${lookup.noun}`;
    return { ...lookup, variable: variables.take(variableName(text, lookup.noun, variables), "") };
  });
}

export function variablesOfProgram(): Names {
  return new Names(reserved);
}

class Names {
  readonly #used: Set<string>;
  /** For each requested name, the first number that may make the name unique, and that is tried next. */
  readonly #next = new Map<string, number>();

  constructor(initial: readonly string[] = []) {
    this.#used = new Set(initial);
  }

  has(name: string): boolean {
    return this.#used.has(name);
  }

  /** Reserves a name. If the name is already reserved, the first free number from 2 on is appended to it. */
  take(text: string, separator: string): string {
    let name = text;
    for (let number = this.#next.get(text) ?? 2; this.#used.has(name); number++) {
      name = `${text}${separator}${number}`;
      this.#next.set(text, number + 1);
    }
    this.#used.add(name);
    return name;
  }
}

/** A name for a variable, made from a text, with a number behind it if the name is taken. */
function variableName(text: string, noun: string, names: Names): string {
  const short = camelCase(slug(text, longestVariable));
  const plain = /^[a-z]/.test(short) ? short : camelCase(`${noun}-${short}`);
  if (!names.has(plain) || text === noun) return plain;
  const withNoun = camelCase(`${slug(text, longestVariable - noun.length)}-${noun}`);
  return /^[a-z]/.test(withNoun) ? withNoun : plain;
}

/** Converts a text such as `Slow queries (p95)` to a name such as `slow-queries-p95`, cut between words if it is too long. */
function slug(text: string, longest: number): string {
  const words = text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  let result = "";
  for (const word of words) {
    const longer = result === "" ? word.slice(0, longest) : `${result}-${word}`;
    if (longer.length > longest) break;
    result = longer;
  }
  return result;
}

function camelCase(text: string): string {
  return text.replace(/^-|-$/g, "").replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Names that variables in generated programs cannot or should not have. */
const reserved: readonly string[] = [
  ...`abstract any arguments as async await boolean break case catch class const continue debugger declare default
    delete do else enum eval exports export extends false finally for from function get if implements import in
    instanceof interface is keyof let module namespace new null number object of package private protected public
    require return set static string super switch symbol this throw true try type typeof undefined unique unknown var
    void while with yield config organizationId pipestack pulumi serviceId`.split(/\s+/),
  ...Object.getOwnPropertyNames(globalThis),
];
