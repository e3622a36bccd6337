import type { Operation } from "./operation";

/**
 * How soon a request has to follow what was read before it: 1 if it replaces a whole object, and 2 if it is sent only soon after its
 * read, or is such a read.
 */
export type Priority = 0 | 1 | 2;

export function priorityOf({ goesFirst, replaces }: Pick<Operation, "goesFirst" | "replaces">): Priority {
  if (goesFirst) return 2;
  return replaces ? 1 : 0;
}

/** Puts a call into a queue, before those of a lower priority. One of the highest goes before all, since it follows the latest read. */
export function enqueue<Call extends { readonly priority: Priority }>(queue: Call[], call: Call): void {
  const { priority } = call;
  // Most calls are of the lowest priority, and the queue may be long.
  const place = priority === 1 ? queue.findIndex((other) => other.priority < priority) : -1;
  if (priority === 2) queue.unshift(call);
  else queue.splice(place < 0 ? queue.length : place, 0, call);
}
