import type { Paging } from "../../product/read";
import { badRequest } from "./apiError";

/** The maximum number of objects in a page of a list, if the API documents do not state it. */
const mostEntries = 1000;

export interface Page<Item> {
  items: Item[];
  meta: { total: number; limit: number; offset: number };
}

/**
 * Returns the page of a list, sorted by id, for which the query parameters `limit` and `offset` ask.
 * @throws ApiError 400 for an invalid parameter
 */
export function pageOf<Item extends { id: string }>(
  items: readonly Item[],
  { limit, offset }: Readonly<Record<string, string>>,
  { limit: byDefault = mostEntries, maximum: most = byDefault }: Paging,
): Page<Item> {
  const size = wholeNumber("limit", limit, { least: 1, most, byDefault });
  const start = wholeNumber("offset", offset, { least: 0, most: Number.MAX_SAFE_INTEGER, byDefault: 0 });
  const sorted = [...items].sort((left, right) => (left.id < right.id ? -1 : 1));
  return {
    items: sorted.slice(start, start + size),
    meta: { total: items.length, limit: size, offset: start },
  };
}

/** A page of a list as the management API of ClickHouse Cloud returns it, without the status and request id of the response. */
export interface CursorPage<Item> {
  result: Item[];
  nextCursor: string | null;
  totalCount: number;
  limit: number;
}

/**
 * Returns the page of a list that begins after the query's `cursor`, with the oldest objects first.
 * @throws ApiError 400 for an invalid query
 */
export function cursorPageOf<Item extends { id: string }>(
  items: readonly Item[],
  { limit, cursor }: Readonly<Record<string, string>>,
  { limit: documented = mostEntries, maximum: most = documented }: Paging,
  byDefault = documented,
): CursorPage<Item> {
  const size = wholeNumber("limit", limit, { least: 1, most, byDefault });
  const start = cursor === undefined ? 0 : positionOf(cursor);
  const end = start + size;
  return {
    result: items.slice(start, end),
    nextCursor: end < items.length ? cursorAt(end) : null,
    totalCount: items.length,
    limit: size,
  };
}

/** Makes the cursor for the next page of a list: an encoded text, so that clients do not interpret it. */
const cursorAt = (position: number) => Buffer.from(`after:${position}`).toString("base64url");

function positionOf(cursor: string): number {
  const position = Number(/^after:(\d+)$/.exec(Buffer.from(cursor, "base64url").toString())?.[1]);
  if (Number.isNaN(position)) throw badRequest("Query validation failed: cursor: is not one of this list");
  return position;
}

function wholeNumber(
  name: string,
  text: string | undefined,
  { least, most, byDefault }: { least: number; most: number; byDefault: number },
): number {
  if (text === undefined) return byDefault;
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw badRequest(`Query validation failed: ${name}: must be a whole number from ${least} to ${most}`);
}
