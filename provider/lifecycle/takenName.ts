import { RefusedRequest } from "../api/errors";
import type { Data } from "../values/data";
import { listedIds } from "../values/wording";
import type { Creation } from "./ledger";

const saysTaken = /\balready\s(exists?|in use|taken)\b|\bduplicate\b/i;

/**
 * The error of a create, which says how to take over the object that has the name already, if that is why it was refused.
 *
 * @param list lists the collection
 */
export async function namingTaken(
  error: unknown,
  { body, collection }: Creation,
  list: () => Promise<readonly Data[]>,
): Promise<unknown> {
  if (!(error instanceof RefusedRequest) || !saysTaken.test(error.reason)) return error;
  const objects = await list().catch(() => []);
  const ids = listedIds(objects.filter(({ name }) => name !== undefined && name === body.name));
  const advice = `to take over the ${collection.noun} that exists, declare its id as adoptId, or import it`;
  const renamed = "if the program has renamed the resource, give it its former name by the option aliases";
  return new RefusedRequest(error.site, `${error.reason}; ${advice}${ids ? `: ${ids}` : ""}; ${renamed}`);
}
