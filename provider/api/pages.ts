import { isObject } from "../values/json";
import { type ApiError, type CallSite, IncompleteList } from "./errors";

/** One page of a list that the API returned, with what the server says about further entries. */
export interface Page {
  readonly entries: readonly unknown[];
  /** Number of entries in the whole list, if the server sends `meta.total` or `totalCount`. */
  readonly total?: number;
  /** Maximum number of entries of one page, if the server sends `meta.limit`. */
  readonly limit?: number;
  /** The cursor of the list's next page, if the server sends `nextCursor`; null on the last page. */
  readonly cursor?: string | null;
  /** The sign that the list may have further entries, if the server sends no usable count. */
  readonly doubt?: Doubt;
}

/** A sign that a list which the API returned has further entries. */
export interface Doubt {
  readonly reason: string;
  /**
   * Whether the server says nothing about further entries of a list, so that only the list's length, a typical page size,
   * suggests them.
   */
  readonly isGuess: boolean;
  /** How many entries the whole list has, if the server counts them beside the page. */
  readonly total?: number;
}

/** Maximum number of pages that the provider fetches of a list: a longer list counts as one without an end. */
const mostPages = 1000;

/** Lengths of a list that suggest that the server cut it off. */
const roundLengths = new Set([100, 200, 250, 500, 1000, 2000, 5000, 10_000]);

type Members = Readonly<Record<string, unknown>>;

export interface List {
  readonly entries: readonly unknown[];
  readonly around: Members;
}

/** The list in the envelope of an answer; undefined if there is none. */
export function listIn(envelope: Members, member: string): List | undefined {
  const { [member]: payload, ...around } = envelope;
  return Array.isArray(payload) ? { entries: payload, around } : undefined;
}

/** Reads one page of a list from an answer, whose headers have names in lower case. */
export function pageOf({ entries, around }: List, headers: Members): Page {
  const meta = isObject(around.meta) ? around.meta : {};
  const [total, limit] = [countIn(meta.total), countIn(meta.limit)];
  if ("nextCursor" in around) {
    const { nextCursor, totalCount } = around;
    const counted = countIn(totalCount);
    const cursor = typeof nextCursor === "string" && nextCursor !== "" ? nextCursor : null;
    return { entries, cursor, ...(counted === undefined ? {} : { total: counted }) };
  }
  return {
    entries,
    ...(total === undefined ? {} : { total }),
    ...(limit ? { limit } : {}),
    ...(total === undefined ? doubtAbout(entries.length, around, headers) : {}),
  };
}

type Part = { readonly cursor: string } | { readonly limit: number; readonly offset: number };

/** How a server splits a list where its answer says nothing about further entries; undefined if that is not known. */
export type Paging = "offsets" | "none" | undefined;

type Ask = (part: Part) => Promise<{ readonly page?: Page }>;

/**
 * Fetches all entries of a list: by `limit` and `offset` if the server counts more entries than it sent, or sends no count and
 * the first page looks full; by the cursor if it sends one. An object that moves between pages meanwhile is returned once.
 * @throws IncompleteList, with the received entries, if further entries may exist
 */
export async function wholeList(
  site: CallSite,
  first: Page,
  ask: Ask,
  paging?: Paging,
): Promise<readonly unknown[]> {
  if (first.cursor !== undefined) return listBehindCursors(site, first, ask);
  const { total, doubt } = first;
  if (doubt?.isGuess && paging === "none") return first.entries;
  if (doubt?.isGuess && paging === "offsets") return listBehindOffsets(site, first, doubt, ask);
  if (doubt) throw new IncompleteList(site, doubt.reason, first.entries, doubt.isGuess);
  if (total === undefined || first.entries.length >= total) return first.entries;
  const limit = first.limit ?? first.entries.length;
  const byId = new Map(first.entries.map((entry) => [idOf(entry), entry]));
  const incomplete = (reason: string) => new IncompleteList(site, reason, [...byId.values()], false);
  for (let offset = first.entries.length; limit > 0 && offset < total; ) {
    if (offset >= limit * mostPages) throw incomplete(`the list has no end after ${mostPages} pages`);
    const before = byId.size;
    const { page } = await ask({ limit, offset }).catch((error: ApiError) => {
      throw incomplete(`the server sent ${offset} of ${total} entries: ${error.reason}`);
    });
    if (page?.total !== total) throw incomplete("the list changed while its pages were read");
    for (const entry of page.entries) byId.set(idOf(entry), entry);
    // A server that counts more entries than it has, or ignores `offset`, would be asked for ever.
    if (byId.size === before) break;
    offset += page.entries.length;
  }
  if (byId.size < total) throw incomplete(`the server sent ${byId.size} of ${total} entries`);
  return [...byId.values()];
}

/** Fetches all pages of a list for which the server sends no count: after each full page there may be a further one. */
async function listBehindOffsets(
  site: CallSite,
  first: Page,
  doubt: Doubt,
  ask: Ask,
): Promise<readonly unknown[]> {
  const limit = first.entries.length;
  const byId = new Map(first.entries.map((entry) => [idOf(entry), entry]));
  const incomplete = (reason: string) => new IncompleteList(site, reason, [...byId.values()], false);
  for (let offset = limit; ; ) {
    if (offset >= limit * mostPages) throw incomplete(`the list has no end after ${mostPages} pages`);
    const { page } = await ask({ limit, offset }).catch((error: ApiError) => {
      // A server that does not support `offset` may refuse the request for a second page, although the first page was the
      // complete list. So this refusal leaves open whether the list is complete.
      if (offset === limit) throw new IncompleteList(site, doubt.reason, first.entries, true);
      throw incomplete(`the server sent ${offset} entries, and then: ${error.reason}`);
    });
    if (!page) throw incomplete(`the server sent ${offset} entries, and then an answer that is not a page`);
    // A server that ignores `offset` answers with the first page again: the list then has no further pages. Single entries of that
    // page may have moved to this one, or may be deleted, meanwhile.
    const ids = new Set(page.entries.map(idOf));
    if (2 * first.entries.filter((entry) => ids.has(idOf(entry))).length > limit) {
      if (page.doubt) throw new IncompleteList(site, doubt.reason, page.entries, true);
      return page.entries;
    }
    for (const entry of page.entries) byId.set(idOf(entry), entry);
    if (page.entries.length < limit) return [...byId.values()];
    offset += page.entries.length;
  }
}

/** Fetches all pages of a list whose pages name the next one by a cursor. */
async function listBehindCursors(site: CallSite, first: Page, ask: Ask): Promise<readonly unknown[]> {
  const byId = new Map<unknown, unknown>();
  const incomplete = (reason: string) =>
    new IncompleteList(site, `the server sent ${byId.size} entries, ${reason}`, [...byId.values()], false);
  const followed = new Set<string>();
  for (let page = first; ; ) {
    const before = byId.size;
    for (const entry of page.entries) byId.set(idOf(entry), entry);
    const { cursor, doubt, total = 0 } = page;
    // Some servers leave the cursor out of the last page, and count the entries of the whole list there.
    const isCounted = doubt?.total !== undefined && byId.size >= doubt.total;
    if (doubt && !doubt.isGuess && !isCounted) throw incomplete(`and then: ${doubt.reason}`);
    if (cursor === undefined || cursor === null) {
      if (byId.size < total) throw incomplete(`of ${total}`);
      return [...byId.values()];
    }
    // A server that ignores the cursor would send the first page of the list for ever. So a repeated cursor, or a page without
    // a new object, ends the requests with an error.
    if (followed.has(cursor) || (followed.size > 0 && byId.size === before))
      throw incomplete("and its cursors lead to no others");
    followed.add(cursor);
    if (followed.size >= mostPages) throw incomplete(`and no end after ${mostPages} pages`);
    const next = await ask({ cursor }).catch((error: ApiError) => {
      throw incomplete(`and says that more follow: ${error.reason}`);
    });
    if (!next.page) throw incomplete("and then an answer that is not a page");
    page = next.page;
  }
}

/** What tells an entry from the others of its list: its id, or all of it where it has none, as a quota. */
function idOf(entry: unknown): unknown {
  return isObject(entry) ? (entry.id ?? JSON.stringify(entry)) : entry;
}

function doubtAbout(length: number, around: Members, headers: Members): { doubt: Doubt } | undefined {
  const doubtBecause = (reason: string, counted?: number) => ({
    doubt: { reason, isGuess: false, ...(counted !== undefined && { total: counted }) },
  });
  const members = [around, ...Object.values(around).filter(isObject)].flatMap(Object.entries);
  const counts = members.filter(([name]) => /^total/i.test(name)).map(([, value]) => value);
  const totals = [headers["x-total-count"], ...counts].flatMap((count) => countIn(count) ?? []);
  const total = Math.max(...totals);
  if (total > length) return doubtBecause(`the server sent ${length} of ${total} entries`, total);
  const isNext = ([name, value]: [string, unknown]) =>
    /^(next|has_?(more|next))/i.test(name) && Boolean(value) && value !== "false";
  if (members.some(isNext) || /\brel="?next\b/i.test(String(headers.link ?? "")))
    return doubtBecause(`the server sent ${length} entries and says that more follow`);
  // If the server sends no count of a list's entries, only a typical page size suggests further ones.
  if (totals.length > 0 || !roundLengths.has(length)) return undefined;
  const reason = `the server sent exactly ${length} entries and does not say how many there are`;
  return { doubt: { reason, isGuess: true } };
}

/** The number in a count of a list's entries, which some servers send as text. */
function countIn(value: unknown): number | undefined {
  const count = typeof value === "string" && value !== "" ? Number(value) : value;
  return typeof count === "number" && Number.isInteger(count) && count >= 0 ? count : undefined;
}
