import { badRequest } from "./apiError";

/** Most entries of a page, and as many as a request gets that does not say how many. */
const mostEntries = 1000;

/** A page of a list as the product's observability API returns it. */
export interface Page<Item> {
  items: Item[];
  meta: { total: number; limit: number; offset: number };
}

/** The entries that the query asks for with `limit` and `offset`, by id. @throws ApiError 400 for an invalid one */
export function pageOf<Item extends { id: string }>(
  items: readonly Item[],
  { limit, offset }: Readonly<Record<string, string>>,
): Page<Item> {
  const size = wholeNumber("limit", limit, { least: 1, most: mostEntries, byDefault: mostEntries });
  const start = wholeNumber("offset", offset, { least: 0, most: Number.MAX_SAFE_INTEGER, byDefault: 0 });
  const sorted = [...items].sort((left, right) => (left.id < right.id ? -1 : 1));
  return {
    items: sorted.slice(start, start + size),
    meta: { total: items.length, limit: size, offset: start },
  };
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
