import { expect } from "chai";
import { declarable, resources } from "../../../provider/resources/registry";
import { alert, pause, place, useService } from "./service";

const { AlertSet } = declarable;

/** The known limits of the product's APIs. */
const limits = [
  { via: "management", requests: 10, seconds: 10, count: 200 },
  { via: "observability", requests: 100, seconds: 60, count: 600 },
] as const;

/** How far the service is, in milliseconds there and back, and how many calls the engine makes at once. */
const [distance, atOnce] = [100, 16];

const ofProduct = { ...alert, savedSearch: "65f1c0a2b3d4e5f607182931" };

describe("Requests in flight", () => {
  const service = useService({ dialect: "clickhouse" });

  /** Answers as a service at that distance that takes so many requests in any period; counts those that it refuses. */
  function limit({ requests, seconds }: (typeof limits)[number]) {
    const taken: number[] = [];
    const counts = { refused: 0 };
    service.requests.length = 0;
    service.gateway = async (_operation, carryOut) => {
      await pause(distance / 2);
      while ((taken[0] ?? Number.POSITIVE_INFINITY) <= Date.now() - seconds * 1000) taken.shift();
      if (taken.length >= requests) counts.refused++;
      taken.push(Date.now());
      const answer = await carryOut();
      await pause(distance / 2);
      return answer;
    };
    return counts;
  }

  /** As the engine does it: the next call begins when one ends. */
  async function byEngine<Item>(items: readonly Item[], step: (item: Item) => Promise<unknown>) {
    const left = [...items];
    const work = async () => {
      for (let item = left.shift(); item !== undefined; item = left.shift()) await step(item);
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  }

  const entries = (count: number, threshold: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`alert ${index}`, { ...ofProduct, threshold }]),
    );

  for (const known of limits)
    for (const what of ["a set", "single alerts"])
      it(`the changes and deletions of ${what} keep the known limit busy, and never exceed it: ${known.requests} requests in ${known.seconds} s`, async function () {
        this.timeout(120_000);
        const { via, count, requests, seconds } = known;
        // Nothing is known of the limit of a server with another vocabulary.
        const free = service.open({
          dialect: "clickhouse",
          observabilityVia: via,
          requestsPerSecond: 1000,
        }).session;
        const { session } = service.open({ dialect: "clickhouse", observabilityVia: via });
        const isSet = what === "a set";
        const { id, state } = await AlertSet.create(
          { ...place, alerts: entries(isSet ? count : 0, 1) },
          free,
        );
        const singles = Array.from({ length: isSet ? 0 : count }, () => ofProduct);
        const made = await Promise.all(singles.map((own) => service.create(free, "Alert", own)));
        const changed = { ...place, ...ofProduct, threshold: 9 };
        const steps = isSet
          ? {
              change: () => AlertSet.update(id, state, { ...place, alerts: entries(count, 9) }, session),
              deletion: () => AlertSet.delete(id, state, session),
            }
          : {
              change: () =>
                byEngine(made, (one) => resources.Alert.update(one.id, one.state, changed, session)),
              deletion: () => byEngine(made, (one) => resources.Alert.delete(one.id, one.state, session)),
            };
        for (const [step, run] of Object.entries(steps)) {
          await pause(seconds * 1000);
          const counts = limit(known);
          const begun = Date.now();
          await run();
          const ideal = (service.requests.length / requests) * seconds * 1000;
          expect(service.requests.length, `requests of the ${step}`).to.be.within(count, count * 1.02 + 2);
          expect((Date.now() - begun) / ideal, `time of the ${step}`).to.be.at.most(1.05);
          expect(counts.refused, `requests of the ${step} beyond the limit`).to.equal(0);
          service.gateway = undefined;
        }
      });
});
