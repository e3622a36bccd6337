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
  const place = call.priority === 2 ? 0 : queue.findIndex(({ priority }) => priority < call.priority);
  queue.splice(place < 0 ? queue.length : place, 0, call);
}
