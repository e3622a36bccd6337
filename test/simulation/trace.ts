import type { Account } from "./simulate";
import { beginning } from "./virtualTime";
import { describeFault } from "./world/faults";

/** Lists all requests and answers of a simulated history in order, two lines for each request. */
export function wireOf({ wire }: Account): string[] {
  return wire.map(({ at, key, caller, method, path, body, fault, answer, answeredAt }) => {
    const asked = `${clock(at)} ${caller.actor} ${key} ${method} ${path}${body ? ` ${body}` : ""}`;
    const answered = answer
      ? `${answer.status} ${answer.body}`
      : answeredAt === undefined
        ? "…"
        : "no answer";
    return `${asked}\n    ${fault ? `[${describeFault(fault)}] ` : ""}${answered}`;
  });
}

/** Writes everything that happened in a simulated history as one text. Two runs are the same if their texts are equal. */
export function traceOf(account: Account): string {
  const { runs, orphans, deeds, store } = account;
  return [
    ...wireOf(account),
    ...runs.map(({ step, endedAt, messages, outcome }) =>
      JSON.stringify([step, endedAt, messages, outcome.operations]),
    ),
    ...orphans.map(({ step, endedAt, messages, found }) => JSON.stringify([step, endedAt, messages, found])),
    ...deeds.map(({ at, deed }) => `${clock(at)} ${deed}`),
    JSON.stringify(store.commits),
  ].join("\n");
}

export function clock(at: number): string {
  return ((at - beginning) / 1000).toFixed(3);
}
