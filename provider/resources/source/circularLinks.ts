import type { Context } from "../../lifecycle/scope";
import { isSameId, type PropertyMap } from "../../values/data";
import { linkNames } from "./links";
import { kindOf, membersOf, requiredOf } from "./sourceKinds";

interface Link {
  readonly from: string;
  readonly to: string;
  readonly name: string;
}

/**
 * The links of a data source that its import leaves to a `SourceLinks`. They are those of a source in a circle, in which each source
 * needs the id of another one. Of each circle it is the source with the smallest id that can be made without its links.
 */
export async function circularLinks(id: string, { session, scope }: Context): Promise<readonly string[]> {
  if (session.settings.dialect !== "clickhouse") return [];
  const sources = await session.lists.read("listSources", scope);
  const isClosing = circlesIn(sources).some(({ from }) => isSameId(from, id));
  const source = sources.find((each) => isSameId(each.id, id));
  return isClosing ? linkNames.filter((name) => source && isOptional(name, source)) : [];
}

/** The links without which no source leads back to itself. */
function circlesIn(sources: readonly PropertyMap[]): readonly Link[] {
  const ordered = [...sources].sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
  let left = ordered.flatMap((source) => linksOf(source));
  const circular: Link[] = [];
  for (const link of [...left]) {
    const source = ordered.find(({ id }) => String(id) === link.from) ?? {};
    if (!isOptional(link.name, source) || !leads(link.to, link.from, left)) continue;
    circular.push(link);
    left = left.filter((other) => other !== link);
  }
  return circular;
}

const linksOf = (source: PropertyMap): readonly Link[] =>
  linkNames
    .filter((name) => typeof source[name] === "string" && source[name] !== "")
    .map((name) => ({ from: String(source.id), to: String(source[name]), name }));

/** Whether a source can have the link, and can be made without it. */
function isOptional(name: string, source: PropertyMap): boolean {
  const kind = kindOf(source);
  return (
    kind !== undefined && membersOf(kind).includes(name) && !requiredOf(kind).some((each) => each === name)
  );
}

function leads(from: string, to: string, links: readonly Link[], seen = new Set<string>()): boolean {
  if (from === to) return true;
  if (seen.has(from)) return false;
  seen.add(from);
  return links.some((link) => link.from === from && leads(link.to, to, links, seen));
}
