import { expect } from "chai";
import { FailedService, MissingRoute, RefusedRequest } from "../../../provider/api/errors";
import type { Settings } from "../../../provider/api/settingsSchema";
import { noteWrite, observe } from "../../../provider/lifecycle/observe";
import type { Collection } from "../../../provider/lifecycle/resource";
import type { Context } from "../../../provider/lifecycle/scope";
import { isSeen, Unseen } from "../../../provider/lifecycle/state";
import { wayOf } from "../../../provider/lifecycle/way";
import { alertResource } from "../../../provider/resources/alert/alert";
import { dashboardResource } from "../../../provider/resources/dashboard/dashboard";
import { queryEndpointResource } from "../../../provider/resources/queryEndpoint/queryEndpoint";
import { webhookResource } from "../../../provider/resources/webhook/webhook";
import { failureOfType } from "../api/failure";
import { type Answer, enveloped, place, refused, serviceId, useServer } from "../api/server";
import { useVirtualTime } from "../api/virtualTime";
import { sessionFor } from "./note";

// A list of these tests shows ids alone.
const alerts: Collection = { ...(alertResource as Collection), sureMember: undefined } as Collection;

/** The object as a write takes it: what does not show may still be there. */
const looking =
  (list: "beforeWrites" | "fresh") => async (collection: Collection, id: string, context: Context) => {
    const found = await observe(collection, id, context, { list });
    return isSeen(found) ? found : undefined;
  };
const lookBefore = looking("beforeWrites");
const lookAgain = looking("fresh");

describe("a look at an object", () => {
  const server = useServer();
  const time = useVirtualTime();
  const contextOf = (changed: Partial<Settings> = {}): Context => ({
    session: sessionFor({ maxRetries: 0, ...changed }, server.current.url).session,
    scope: place,
  });
  const lines = () => server.current.lines.map((line) => line.replace(/\/v1.*\/stack/, ""));
  const noRoute: Answer = { status: 404, body: "<html>Cannot GET</html>" };
  const missing = refused(404, "NOT_FOUND: alert not found");

  for (const [when, look] of [
    ["before a write", lookBefore],
    ["after a write", lookAgain],
  ] as const) {
    describe(when, () => {
      it("finds it in the list of its collection, by the id that the state has", async () => {
        server.current.answer(enveloped([{ id: "b" }, { id: "A", name: "Slow" }]));
        expect(await look(alerts, "a", contextOf())).to.deep.equal({ id: "a", name: "Slow" });
        expect(lines()).to.deep.equal(["GET /alerts"]);
      });

      for (const [what, list] of [
        ["lacks it", enveloped([])],
        ["has no route", noRoute],
        ["is missing in the API's words", missing],
      ] as [string, Answer][]) {
        it(`asks for it by itself where the list ${what}`, async () => {
          server.current.answer(list, enveloped({ id: "a", name: "Slow" }));
          expect(await look(alerts, "a", contextOf())).to.deep.equal({ id: "a", name: "Slow" });
          expect(lines()).to.deep.equal(["GET /alerts", "GET /alerts/a"]);
        });
      }

      for (const [what, single] of [
        ["is missing", missing],
        ["has no route", noRoute],
        ["has an id that the API calls invalid", refused(400, "BAD_REQUEST: Invalid alert id")],
      ] as [string, Answer][]) {
        it(`shows nothing where it ${what}`, async () => {
          server.current.answer(enveloped([]), single);
          expect(await look(alerts, "a", contextOf())).to.equal(undefined);
        });
      }

      it("shows nothing of what lists alone show, where they lack it", async () => {
        server.current.answer(enveloped([]), enveloped([]));
        expect(await look(webhookResource as Collection, "a", contextOf())).to.equal(undefined);
        expect(lines()).to.deep.equal(["GET /webhooks", "GET /webhooks"]);
      });

      it("fails where the list or the object cannot be read", async () => {
        server.current.answer(refused(500, "INTERNAL: oops"));
        await failureOfType(look(alerts, "a", contextOf()), FailedService);
        server.current.answer(enveloped([]), refused(403, "FORBIDDEN: no"));
        await failureOfType(look(alerts, "a", contextOf()), RefusedRequest);
      });

      it("fails where no look gets an answer of the API: a write would replace what nobody has seen", async () => {
        server.current.alwaysAnswer(noRoute);
        for (const collection of [alerts, webhookResource as Collection])
          await failureOfType(look(collection, "a", contextOf()), MissingRoute);
        expect(lines()).to.deep.equal(["GET /alerts", "GET /alerts/a", "GET /webhooks"]);
      });

      it("fails where the API says that the service is not there: a write would replace what nobody has seen", async () => {
        server.current.alwaysAnswer(refused(404, "NOT_FOUND: service not found"));
        for (const collection of [alerts, webhookResource as Collection])
          await failureOfType(look(collection, "a", contextOf()), RefusedRequest);
        expect(lines()).to.deep.equal(["GET /alerts", "GET /alerts/a", "GET /webhooks"]);
      });
    });
  }

  describe("before many writes", () => {
    const both = enveloped([{ id: "a" }, { id: "b" }]);
    const listsSince = async (context: Context, ...ids: string[]) => {
      const asked = server.current.requests.length;
      for (const id of ids) expect(await lookBefore(alerts, id, context)).to.deep.equal({ id });
      return server.current.requests.length - asked;
    };

    beforeEach(() => server.current.alwaysAnswer(both));

    it("reads the list once", async () => {
      const context = contextOf();
      expect(await listsSince(context, "a", "b", "a")).to.equal(1);
    });

    it("reads it again for an object that was written to since, once for all of them", async () => {
      const context = contextOf();
      await listsSince(context, "a", "b");
      for (const id of ["A", "b"]) noteWrite(alerts, id, context);
      expect(await listsSince(context, "a")).to.equal(1);
      expect(await listsSince(context, "b", "a")).to.equal(0);
    });

    it("reads it again after a minute", async () => {
      const context = contextOf();
      await listsSince(context, "a");
      time.pass(60_000);
      expect(await listsSince(context, "b")).to.equal(0);
      time.pass(1);
      expect(await listsSince(context, "b", "a")).to.equal(1);
    });

    it("reads it once, too, where its length alone looks like that of a page", async () => {
      const ids = Array.from({ length: 100 }, (_, index) => String(index));
      server.current.alwaysAnswer(enveloped(ids.map((id) => ({ id }))));
      expect(await listsSince(contextOf(), ...ids)).to.equal(1);
    });

    it("reads the list of each collection", async () => {
      const context = contextOf();
      await lookBefore(alerts, "a", context);
      await lookBefore(
        { ...(dashboardResource as Collection), sureMember: undefined } as Collection,
        "a",
        context,
      );
      expect(lines()).to.deep.equal(["GET /alerts", "GET /dashboards"]);
    });

    it("tells all of them that it has failed", async () => {
      server.current.alwaysAnswer(noRoute);
      const context = contextOf();
      const looks = ["a", "b"].map((id) => lookBefore(webhookResource as Collection, id, context));
      await Promise.all(looks.map((failing) => failureOfType(failing, MissingRoute)));
      expect(lines()).to.deep.equal(["GET /webhooks"]);
      await failureOfType(context.session.list("listWebhooks", place), MissingRoute);
    });
  });

  for (const [what, moment, state, isOpen] of [
    ["is left open in a refresh", "read", {}, true],
    ["fails before a write, which would replace what nobody has seen", "beforeWrite", {}, false],
    ["fails after a write", "afterWrite", {}, false],
    [
      "is left open before a write of an endpoint from a moment ago",
      "beforeWrite",
      { __tracking: { createdAt: new Date().toISOString() } },
      true,
    ],
  ] as const)
    it(`at a query endpoint that may be gone with its service ${what}`, async () => {
      const gone = (noun: string) => refused(404, `NOT_FOUND: ${noun} not found`);
      server.current.answer(gone("query endpoint"), refused(403, "no"), gone("service"));
      const look = wayOf(queryEndpointResource).look(
        moment,
        serviceId,
        state,
        contextOf({ dialect: "clickhouse" }),
      );
      if (isOpen) expect(await look).to.be.instanceOf(Unseen);
      else await failureOfType(look, RefusedRequest);
    });
});
