import { pathOf } from "../../provider/values/compare";
import { isObject, type PropertyMap } from "../../provider/values/data";
import { keysIn } from "../../provider/values/schema";
import { type Failure, sentenceOf } from "../../provider/values/validate";
import { quoted } from "../../provider/values/wording";

/** A dashboard without what the API refuses, and what that is, as ends of sentences. */
export interface AcceptedDashboard {
  readonly accepted: PropertyMap;
  readonly lost: readonly string[];
}

type Check = (dashboard: PropertyMap) => readonly Failure[];
type Keys = readonly (string | number)[];

/** The lists of a dashboard, and the nouns for their entries. The tiles come last, since they refer to containers. */
const nouns = {
  containers: "container",
  filters: "filter",
  savedFilterValues: "saved filter value",
  tiles: "tile",
};

/**
 * Leaves out of each tile, filter, container and saved value the smallest part whose absence satisfies the check: an optional
 * property, an entry of a list, or the whole object.
 */
export function acceptedPart(dashboard: PropertyMap, check: Check): AcceptedDashboard {
  if (check(dashboard).length === 0) return { accepted: dashboard, lost: [] };
  const lost: string[] = [];
  let accepted = dashboard;
  for (const [name, noun] of Object.entries(nouns)) {
    const list = dashboard[name];
    if (!Array.isArray(list)) continue;
    // Each entry is checked alone, since the check reports only the first failures of a whole dashboard.
    const checkEntry = (entry: unknown) =>
      check({ ...accepted, tiles: [], [name]: [entry] }).filter(({ path }) => path.startsWith(`${name}[0]`));
    const kept = list.filter(isObject).flatMap((entry) => {
      const subject = `the ${noun} ${quoted(entry.name ?? entry.title ?? entry.condition ?? "")}`;
      const part = acceptedEntry(entry, checkEntry);
      lost.push(...part.lost.map((what) => `${what} of ${subject}`));
      if (part.refusal === undefined) return [part.entry];
      lost.push(`${subject} (${part.refusal})`);
      return [];
    });
    accepted = { ...accepted, [name]: kept };
  }
  return { accepted, lost };
}

/** One entry of a list of the dashboard without what the check refuses; with a `refusal` if no part of it can be left out. */
function acceptedEntry(whole: PropertyMap, check: (entry: unknown) => readonly Failure[]) {
  const lost: string[] = [];
  let entry: unknown = whole;
  for (;;) {
    const [failure, ...further] = check(entry);
    if (failure === undefined) return { entry, lost };
    const keys = keysIn(failure.path).slice(2);
    const refusal = sentenceOf({ path: pathOf(keys), message: failure.message });
    const part = separableParts(keys, whole).find(
      (candidate) => check(without(entry, candidate)).length <= further.length,
    );
    if (part === undefined) return { entry, lost, refusal };
    lost.push(`${pathOf(part)} (${refusal})`);
    entry = without(entry, part);
  }
}

/** Members of a series that do not change the values which it shows. */
const looks = ["alias", "numberFormat"];

/**
 * The parts that contain the refused place, the smallest first. A series is one part, since without one of its members it would
 * show other values, and where formulas count the series by their place, none can go alone.
 */
function separableParts(keys: Keys, { config }: PropertyMap): readonly Keys[] {
  const hasFormulas = isObject(config) && config.formulas !== undefined;
  const isInSeries = keys[0] === "config" && keys[1] === "select" && typeof keys[2] === "number";
  const isWhole = (part: Keys) => part.length > 3 && !looks.includes(String(keys[3]));
  const isCounted = (part: Keys) => part.length === 3 && hasFormulas;
  return keys
    .map((_, at) => keys.slice(0, keys.length - at))
    .filter((part) => !isInSeries || !(isWhole(part) || isCounted(part)));
}

/** A copy of a value without the property or the list's entry at a path. */
function without(value: unknown, [key, ...inside]: Keys): unknown {
  if (Array.isArray(value))
    return value.flatMap((entry, at) =>
      at !== key ? [entry] : inside.length === 0 ? [] : [without(entry, inside)],
    );
  if (!isObject(value) || key === undefined) return value;
  const { [key]: member, ...others } = value;
  return inside.length === 0 ? others : { ...others, [key]: without(member, inside) };
}
