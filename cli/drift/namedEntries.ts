import { keysOf, type NamedTile } from "../../provider/resources/tiles/tiles";
import { isObject } from "../../provider/values/data";

/** How the live elements of a list correspond to the declared ones, for elements with names, such as a dashboard's tiles. */
interface PairedEntries {
  /** For each live element, the position of its declared element; undefined for an element that the list has gained. */
  readonly partners: readonly (number | undefined)[];
  /** The positions of the declared elements that the service's list has lost. */
  readonly lost: readonly number[];
}

/** Pairs the elements of two lists by their names, or else by their positions; undefined if an element has no name. */
export function pairedByName(declared: unknown, live: unknown): PairedEntries | undefined {
  if (!hasNames(declared) || !hasNames(live)) return undefined;
  const [oldNames, names] = [keysOf(declared), keysOf(live)];
  const [places, left] = [new Map(oldNames.map((entry, at) => [entry, at])), new Set(names)];
  const partners = names.map((entry, at) => {
    const isRenamed = at < declared.length && !left.has(oldNames[at] ?? "");
    return !places.has(entry) && isRenamed ? at : places.get(entry);
  });
  const partnered = new Set(partners);
  return { partners, lost: [...declared.keys()].filter((at) => !partnered.has(at)) };
}

function hasNames(value: unknown): value is readonly NamedTile[] {
  return Array.isArray(value) && value.every((entry) => isObject(entry) && typeof entry.name === "string");
}
