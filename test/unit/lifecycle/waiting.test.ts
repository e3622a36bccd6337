import { expect } from "chai";
import type { Session } from "../../../provider/lifecycle/session";
import { resources } from "../../../provider/resources/registry";
import { seededCredentials } from "../../../sandbox/index";
import { useService } from "./scriptedService";

const { Service: resource } = resources;
const { organizationId } = seededCredentials;

/** The time in milliseconds after which a created service runs. */
const ready = 90_000;

describe("Waits for ten services that are created at once, with a rate limit of 10 requests in 10 s", () => {
  const service = useService({
    ...{ dialect: "clickhouse", stateMilliseconds: ready / 3 },
    rateLimit: { management: { requests: 10, seconds: 10 } },
  });
  const open = () => service.open({ dialect: "clickhouse" }).session;
  const names = Array.from({ length: 10 }, (_, index) => `lake ${index}`);
  const create = (session: Session, name: string) =>
    resource.create(
      { organizationId, name, provider: "aws", region: "eu-west-1", ipAccessList: [] },
      session,
    );

  /**
   * Runs the creates of services. Returns the number of requests and refusals, and the seconds from the moment when the last
   * service ran to the end of the creates.
   */
  async function measured(run: () => Promise<unknown>) {
    await run();
    const all = [...service.model.store.services.values()].slice(2);
    const last = Math.max(...all.map(({ since = 0 }) => since));
    const { entries } = service.model.journal;
    return {
      services: all.length,
      requests: entries.length,
      lists: entries.filter(({ operation }) => operation === "listServices").length,
      refused: entries.filter(({ status }) => status === 429).length,
      secondsAfter: Math.round((Date.now() - last) / 1000),
    };
  }

  it("one provider that waits for ten services requests one list every three seconds, and is never refused", async () => {
    const session = open();
    const seen = await measured(() => Promise.all(names.map((name) => create(session, name))));
    if (process.env.SHOW_MEASURES) console.log("one provider", seen);
    expect(seen).to.include({ services: 10, refused: 0 });
    expect(seen.lists).to.be.within(28, 45);
    expect(seen.secondsAfter).to.be.below(5);
  });

  it("three provider instances of one process that wait for ten services share the same list requests", async () => {
    const sessions = [open(), open(), open()];
    const seen = await measured(() =>
      Promise.all(names.map((name, index) => create(sessions[index % 3] as Session, name))),
    );
    if (process.env.SHOW_MEASURES) console.log("three providers", seen);
    expect(seen).to.include({ services: 10, refused: 0 });
    expect(seen.lists).to.be.within(28, 50);
    expect(seen.secondsAfter).to.be.below(5);
  });

  it("ten waits with a request for each service take more than 90 requests", async () => {
    const session = open();
    const each = async (name: string) => {
      const made = await session.call(
        "createService",
        { organizationId },
        { name, provider: "aws", region: "eu-west-1", ipAccessList: [] },
      );
      for (;;) {
        const { state } = await session.call("getService", { organizationId, serviceId: made.id as string });
        if (state === "running") return;
        await session.interruption.pause(5000);
      }
    };
    const seen = await measured(() => Promise.all(names.map(each)));
    if (process.env.SHOW_MEASURES) console.log("each by itself", seen);
    expect(seen.requests).to.be.above(90);
  });
});
