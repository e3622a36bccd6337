import type { Paging } from "../../product/read";
import { badRequest } from "./apiError";

/** Maximum number of elements of a page of a list, where the API documents do not state it. */
const mostEntries = 1000;

/** A page of a list as HyperDX's observability API returns it. */
export interface Page<Item> {
  items: Item[];
  meta: { total: number; limit: number; offset: number };
}

/**
 * The page of a list that the parameters `limit` and `offset` of a query ask for, sorted by id.
 *
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

/** A page of a list as the management API of ClickHouse Cloud returns it, apart from the status and the id of the request. */
export interface CursorPage<Item> {
  result: Item[];
  nextCursor: string | null;
  totalCount: number;
  limit: number;
}

/**
 * The page of a list after the `cursor` of a query, the oldest objects first.
 *
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

/** Makes a cursor for the next page of a list: a text that clients cannot interpret. */
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
