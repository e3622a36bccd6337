import { expect } from "chai";
import type { Settings } from "../../../provider/api/settingsSchema";
import type { Collection } from "../../../provider/lifecycle/definition";
import { observe } from "../../../provider/lifecycle/observe";
import type { Context } from "../../../provider/lifecycle/scope";
import { alertResource } from "../../../provider/resources/alert/alert";
import { resources } from "../../../provider/resources/registry";
import { enveloped, place, refused, useServer } from "../api/server";
import { useVirtualTime } from "../api/virtualTime";
import { sessionFor } from "./note";

// The lists in these tests contain only ids. The provider knows a property that every object of the type has, and takes an
// entry without it for incomplete. So the tests remove that property from the type's definition.
const alerts = { ...alertResource, completenessField: undefined } as Collection;

describe("Lists that serve the reads before writes", () => {
  const server = useServer();
  const time = useVirtualTime();
  const contextOf = (changed: Partial<Settings> = {}): Context => ({
    session: sessionFor({ maxRetries: 0, ...changed }, server.current.url).session,
    scope: place,
  });
  const listsSince = async (context: Context, ...ids: string[]) => {
    const asked = server.current.requests.length;
    for (const id of ids) expect(await observe(alerts, id, context, { asOf: "write" })).to.deep.equal({ id });
    return server.current.requests.length - asked;
  };
  beforeEach(() => server.current.alwaysAnswer(enveloped([{ id: "a" }, { id: "b" }])));

  it("a read before a write requests a new list only if its object was written since the last one", async () => {
    const context = contextOf();
    expect(await listsSince(context, "a", "b", "a")).to.equal(1);
    for (const id of ["A", "b"]) context.session.lists.noteWrite("listAlerts", place, id);
    expect(await listsSince(context, "a")).to.equal(1);
    expect(await listsSince(context, "b", "a")).to.equal(0);
  });

  it("the reads before writes share one list for each type and service", async () => {
    const context = contextOf();
    await listsSince(context, "a");
    expect(await listsSince({ ...context, scope: { ...place, serviceId: "s2" } }, "a")).to.equal(1);
    await observe(resources.Webhook, "a", context, { asOf: "write" });
    expect(server.current.lines.at(-1)).to.match(/webhooks$/);
  });

  it("the reads before writes share a list for ten seconds, and then request a new one", async () => {
    const context = contextOf();
    await listsSince(context, "a");
    time.pass(10_000);
    expect(await listsSince(context, "b")).to.equal(0);
    time.pass(1);
    expect(await listsSince(context, "b", "a")).to.equal(1);
  });

  it("the reads before writes wait for a list that takes longer than it will be served", async () => {
    const context = contextOf({ timeoutSeconds: 60 });
    const { body } = enveloped([{ id: "a" }, { id: "b" }]) as { body: object };
    server.current.alwaysAnswer((_request, response) => {
      setTimeout(() => response.end(JSON.stringify(body)), 15_000);
    });
    const first = listsSince(context, "a");
    await new Promise((resolve) => setTimeout(resolve, 11_000));
    expect(await listsSince(context, "b")).to.equal(0);
    expect(await first).to.equal(1);
  });

  it("the ten seconds of a list begin after the last 429", async () => {
    const context = contextOf({ maxRetries: 1 });
    server.current.answer(refused(429, "too many requests", { "Retry-After": "15" }));
    expect(await listsSince(context, "a")).to.equal(2);
    expect(await listsSince(context, "b")).to.equal(0);
  });
});
