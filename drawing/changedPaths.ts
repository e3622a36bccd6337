/** A member whose value has changed. */
export interface PathChange {
  readonly keys: readonly (string | number)[];
  /** The old value; undefined if the member is new. */
  readonly before: unknown;
  /** The new value; undefined if the member was removed. */
  readonly after: unknown;
}

/**
 * Finds the innermost members that differ between two values. Null counts as absent. Entries of lists are matched from
 * the beginning and from the end of the list.
 *
 * @param live the side that a service shows: its members that nobody declared are ignored
 */
export function changedPaths(
  before: unknown,
  after: unknown,
  live?: "before" | "after",
  keys: PathChange["keys"] = [],
): PathChange[] {
  if (isSame(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) {
    const isEqual = (a: unknown, b: unknown) => changedPaths(a, b, live).length === 0;
    const [start, end] = commonEnds(before, after, isEqual);
    const count = Math.max(before.length, after.length) - start - end;
    const inside = (list: readonly unknown[], at: number) => list.slice(start, list.length - end)[at];
    return Array.from({ length: count }, (_, at) =>
      changedPaths(inside(before, at), inside(after, at), live, [...keys, start + at]),
    ).flat();
  }
  if (isMembers(before) && isMembers(after)) {
    const names = new Set([
      ...(live === "before" ? [] : Object.keys(before)),
      ...(live === "after" ? [] : Object.keys(after)),
    ]);
    return [...names].flatMap((name) =>
      changedPaths(memberOf(before, name), memberOf(after, name), live, [...keys, name]),
    );
  }
  return [{ keys, before, after }];
}

/** Describes a change: `config.limit: 5 → 10`. For a text of several lines, only the lines that differ are shown. */
export function describePathChange({ keys, before, after }: PathChange): string {
  const path = keys.reduce<string>(
    (text, key) =>
      typeof key === "number"
        ? `${text}[${key}]`
        : /^\w+$/.test(key)
          ? `${text}.${key}`
          : `${text}[${JSON.stringify(key)}]`,
    "",
  );
  const place = path.replace(/^\./, "");
  if (typeof before === "string" && typeof after === "string" && /\n/.test(before + after)) {
    const [lost, gained] = differingParts(before.split("\n"), after.split("\n"), 0);
    const count = Math.max(lost.length, gained.length);
    const pairs = Array.from({ length: count }, (_, at) => excerpts(lost[at] ?? "", gained[at] ?? ""));
    const lines = [
      ...lost.map((_, at) => `- ${pairs[at]?.[0]}`),
      ...gained.map((_, at) => `+ ${pairs[at]?.[1]}`),
    ];
    return [`${place}:`, ...lines].join("\n");
  }
  return `${place}: ${excerpts(inWords(before), inWords(after)).join(" → ")}`;
}

/** Maximum number of characters of a text; a longer one is cut around its first difference. */
const longest = 160;
const context = 24;

function excerpts(before: string, after: string): readonly [string, string] {
  if (Math.max(before.length, after.length) <= longest) return [before, after];
  const [lost, gained, start, end] = differingParts([...before], [...after], context);
  const excerpt = (part: readonly string[]) => {
    const text = part.slice(0, longest).join("");
    return `${start > 0 ? "…" : ""}${text}${end > 0 || part.length > longest ? "…" : ""}`;
  };
  return [excerpt(lost), excerpt(gained)];
}

/** The parts in which two lists differ, with some of the equal entries around them. */
function differingParts(
  before: readonly string[],
  after: readonly string[],
  around: number,
): readonly [readonly string[], readonly string[], start: number, end: number] {
  const common = commonEnds(before, after, (a, b) => a === b);
  const [start, end] = common.map((length) => Math.max(length - around, 0)) as [number, number];
  const part = (list: readonly string[]) => list.slice(start, list.length - end);
  return [part(before), part(after), start, end];
}

function commonEnds<Entry>(
  before: readonly Entry[],
  after: readonly Entry[],
  isEqual: (a: Entry, b: Entry) => boolean,
): readonly [start: number, end: number] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && isEqual(before[start] as Entry, after[start] as Entry)) start++;
  let end = 0;
  while (end < shorter - start && isEqual(before.at(-1 - end) as Entry, after.at(-1 - end) as Entry)) end++;
  return [start, end];
}

function isSame(before: unknown, after: unknown): boolean {
  if (typeof before === "symbol" && typeof after === "symbol") return true;
  return (
    (before ?? null) === (after ?? null) ||
    (isPlain(before) && isPlain(after) && String(before) === String(after))
  );
}

/** Whether a value is a number, a text or a switch. Servers show some numbers as texts. */
function isPlain(value: unknown): boolean {
  return typeof value === "number" || typeof value === "string";
}

function inWords(value: unknown): string {
  if (value === undefined || value === null) return "(none)";
  const text = JSON.stringify(value, (_, member) => (typeof member === "symbol" ? notKnownYet : member));
  return typeof value === "symbol" ? notKnownYet : text;
}

/** Stands for a value that a preview does not know. */
export const notKnownYet = "(not known yet)";

function memberOf(members: { readonly [name: string]: unknown }, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

function isMembers(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
