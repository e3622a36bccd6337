import { isObject } from "../values/json";
import { type ApiError, type CallSite, IncompleteList } from "./errors";

/** One answer to a list, with its word on further entries. */
export interface Page {
  readonly entries: readonly unknown[];
  /** How many entries the list has in all, where the server counts them in `meta.total`. */
  readonly total?: number;
  /** Most entries of one page, where the server says so in `meta.limit`. */
  readonly limit?: number;
  /** Why the list may go on although the server does not count its entries so. */
  readonly doubt?: Doubt;
}

/** A sign that a list goes on. */
export interface Doubt {
  readonly reason: string;
  /** Whether the server says nothing of the kind: the length alone looks like that of a page. */
  readonly isGuess: boolean;
}

/** Lengths at which servers cut lists. */
const roundLengths = new Set([100, 200, 250, 500, 1000, 2000, 5000, 10_000]);

/**
 * Reads one page of a list.
 *
 * @param envelope the body
 * @param member the member of the envelope that holds the entries
 * @param headers the headers of the answer, their names in lower case
 */
export function pageOf(
  envelope: Readonly<Record<string, unknown>>,
  member: string,
  headers: Readonly<Record<string, unknown>>,
): Page {
  const entries = envelope[member] as readonly unknown[];
  const { [member]: _, ...around } = envelope;
  const meta = isObject(around.meta) ? around.meta : {};
  const [total, limit] = [countIn(meta.total), countIn(meta.limit)];
  return {
    entries,
    ...(total === undefined ? {} : { total }),
    ...(limit ? { limit } : {}),
    ...(total === undefined ? doubtAbout(entries.length, around, headers) : {}),
  };
}

/**
 * All entries of a list. Where the server counts more than it sent, further pages are asked for with `limit` and `offset`;
 * an object that moves from one page to the next meanwhile is there once.
 *
 * @param first the answer to the list without a range
 * @param ask asks for the list with these parameters
 * @throws IncompleteList, with the received entries, if more may exist
 */
export async function wholeList(
  site: CallSite,
  first: Page,
  ask: (range: { limit: number; offset: number }) => Promise<{ readonly page?: Page }>,
): Promise<readonly unknown[]> {
  const { total, doubt } = first;
  if (doubt) throw new IncompleteList(site, doubt.reason, first.entries, doubt.isGuess);
  if (total === undefined || first.entries.length >= total) return first.entries;
  const limit = first.limit ?? first.entries.length;
  const byId = new Map(first.entries.map((entry) => [idOf(entry), entry]));
  const incomplete = (reason: string) => new IncompleteList(site, reason, [...byId.values()], false);
  for (let offset = first.entries.length; limit > 0 && offset < total; ) {
    const { page } = await ask({ limit, offset }).catch((error: ApiError) => {
      throw incomplete(`the server sent ${offset} of ${total} entries: ${error.reason}`);
    });
    if (page?.total !== total) throw incomplete("the list changed while its pages were read");
    if (page.entries.length === 0) break;
    for (const entry of page.entries) byId.set(idOf(entry), entry);
    offset += page.entries.length;
  }
  if (byId.size < total) throw incomplete(`the server sent ${byId.size} of ${total} entries`);
  return [...byId.values()];
}

function idOf(entry: unknown): unknown {
  return isObject(entry) ? entry.id : entry;
}

function doubtAbout(
  length: number,
  around: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, unknown>>,
): { doubt: Doubt } | undefined {
  const said = (reason: string) => ({ doubt: { reason, isGuess: false } });
  const members = [around, ...Object.values(around).filter(isObject)].flatMap(Object.entries);
  const counts = members.filter(([name]) => /^total/i.test(name)).map(([, value]) => value);
  const totals = [headers["x-total-count"], ...counts].flatMap((count) => countIn(count) ?? []);
  const total = Math.max(...totals);
  if (total > length) return said(`the server sent ${length} of ${total} entries`);
  const isNext = ([name, value]: [string, unknown]) =>
    /^(next|has_?(more|next))/i.test(name) && Boolean(value) && value !== "false";
  if (members.some(isNext) || /\brel="?next\b/i.test(String(headers.link ?? "")))
    return said(`the server sent ${length} entries and says that more follow`);
  if (totals.length > 0 || !roundLengths.has(length)) return undefined;
  const reason = `the server sent exactly ${length} entries and does not say how many there are`;
  return { doubt: { reason, isGuess: true } };
}

/** A number of entries; servers send it as text, too. */
function countIn(value: unknown): number | undefined {
  const count = typeof value === "string" && value !== "" ? Number(value) : value;
  return typeof count === "number" && Number.isInteger(count) && count >= 0 ? count : undefined;
}
