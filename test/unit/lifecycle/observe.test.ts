import { expect } from "chai";
import {
  ApiError,
  FailedService,
  IncompleteList,
  InvalidIdentifier,
  LostAnswer,
  MalformedResponse,
  MissingObject,
  MissingRoute,
  RefusedRequest,
  TimedOut,
} from "../../../provider/api/errors";
import type { Settings } from "../../../provider/api/settingsSchema";
import { deleteObject } from "../../../provider/lifecycle/delete";
import { aboutObject, type Observable, observe } from "../../../provider/lifecycle/observe";
import { seenOrGone } from "../../../provider/lifecycle/state";
import { alertResource } from "../../../provider/resources/alert/alert";
import { dashboardResource } from "../../../provider/resources/dashboard/dashboard";
import { webhookResource } from "../../../provider/resources/webhook/webhook";
import type { Data } from "../../../provider/values/data";
import { failureOfType } from "../api/failure";
import {
  type Answer,
  enveloped,
  organizationId,
  place,
  refused,
  reset,
  serviceId,
  silence,
  useServer,
} from "../api/server";
import { useVirtualTime } from "../api/virtualTime";
import { sessionFor } from "./note";

// A list of these tests shows ids alone.
const alerts = { ...alertResource, sureMember: undefined };
const dashboards = { ...dashboardResource, sureMember: undefined };
const webhooks = { ...webhookResource, sureMember: undefined };

const stack = `/v1/organizations/${organizationId}/services/${serviceId}/stack`;
const list = `GET ${stack}/alerts`;
const get = `GET ${stack}/alerts/a1`;

/** The object, or `gone`; a doubt is an error, as it is in a refresh. */
const lookUp = async (...look: Parameters<typeof observe>) => seenOrGone(await observe(...look));

/** The first digits of a UUIDv7 of that moment. */
const uuidTime = (milliseconds: number) =>
  milliseconds.toString(16).padStart(12, "0").replace(/^.{8}/, "$&-");

const noRoute: Answer = { status: 404, body: "<html><body>Cannot GET /</body></html>" };
const missing = refused(404, "NOT_FOUND: alert not found");

describe("an object", () => {
  const server = useServer();
  useVirtualTime();
  const sessionOf = (changed: Partial<Settings> = {}) =>
    sessionFor({ maxRetries: 0, ...changed }, server.current.url);
  const look = (changed: Partial<Settings> = {}, collection: Observable = alerts) =>
    lookUp(collection, "a1", { session: sessionOf(changed).session, scope: place });

  it("is found in the list of its collection", async () => {
    const alert = { id: "a1", threshold: 5 };
    server.current.answer(enveloped([{ id: "a0" }, alert, { id: "a2" }]));
    expect(await look()).to.deep.equal(alert);
    expect(server.current.lines).to.deep.equal([list]);
  });

  it("is looked up with others by one request", async () => {
    server.current.answer(enveloped([{ id: "a1" }, { id: "a2" }]));
    const { session } = sessionOf();
    const ids = ["a1", "a2"];
    const found = await Promise.all(ids.map((id) => lookUp(alerts, id, { session, scope: place })));
    expect(found).to.deep.equal([{ id: "a1" }, { id: "a2" }]);
    expect(server.current.lines).to.deep.equal([list]);
  });

  it("is gone where the list lacks it and the API says so in its own words", async () => {
    server.current.answer(enveloped([]), missing);
    expect(await look()).to.equal("gone");
    expect(server.current.lines).to.deep.equal([list, get]);
  });

  it("is gone where the list lacks it and the API calls its id invalid", async () => {
    server.current.answer(enveloped([]), refused(400, "BAD_REQUEST: Invalid alert id"));
    expect(await look()).to.equal("gone");
  });

  describe("that only lists show", () => {
    const listOfWebhooks = `GET ${stack}/webhooks`;
    const bothLists = [listOfWebhooks, listOfWebhooks];

    it("is gone where two lists lack it", async () => {
      server.current.answer(enveloped([]), enveloped([{ id: "a2" }]));
      expect(await look({}, webhooks)).to.equal("gone");
      expect(server.current.lines).to.deep.equal(bothLists);
    });

    it("is found where the first list alone lacks it", async () => {
      server.current.answer(enveloped([]), enveloped([{ id: "a1" }]));
      expect(await look({}, webhooks)).to.deep.equal({ id: "a1" });
    });

    it("is looked for with others by two requests", async () => {
      server.current.answer(enveloped([]), enveloped([{ id: "a2" }]));
      const context = { session: sessionOf().session, scope: place };
      const found = await Promise.all(["a1", "a2"].map((id) => lookUp(webhooks, id, context)));
      expect(found).to.deep.equal(["gone", { id: "a2" }]);
      expect(server.current.lines).to.deep.equal(bothLists);
    });

    for (const [what, answer, type] of [
      ["fails", refused(500, "INTERNAL: oops"), FailedService],
      ["has no route", noRoute, MissingRoute],
      ["is missing in the API's words", missing, RefusedRequest],
      [
        "is incomplete",
        { body: { status: 200, requestId: "r1", result: [], totalCount: 2 } },
        IncompleteList,
      ],
      ["is no list", enveloped({}), MalformedResponse],
    ] as [string, Answer, Parameters<typeof failureOfType>[1]][]) {
      it(`is never said to be gone where the second list ${what}`, async () => {
        server.current.answer(enveloped([]), answer);
        await failureOfType(look({}, webhooks), type);
        expect(server.current.lines).to.deep.equal(bothLists);
      });
    }

    describe("and was created a moment ago,", () => {
      const now = () => new Date().toISOString();
      for (const [what, id, state] of [
        ["the service told the state", "a1", () => ({ createdAt: now() })],
        ["its id tells", `${Math.floor(Date.now() / 1000).toString(16)}4c3d2e1f0a9b8c7d`, () => ({})],
        ["its UUID tells", `${uuidTime(Date.now())}-7b3c-8d4e-5f6071829304`, () => ({})],
        ["the stamp in the state tells", "a1", () => ({ __tracking: { createdAt: now() } })],
      ] as [string, string, () => object][]) {
        it(`is not said to be gone by lists that lag, as ${what}`, async () => {
          const context = { session: sessionOf().session, scope: place };
          const known = { state: state() as Data };
          server.current.answer(enveloped([]), enveloped([]));
          const error = await failureOfType(lookUp(webhooks, id, context, known), ApiError);
          expect(error.message).to.match(
            new RegExp(
              `^the service does not show webhook ${id}, which was created less than 3 minutes ago: reads may lag behind, or somebody has deleted it; try again in 3 minutes \\(listWebhooks: `,
            ),
          );
        });
      }

      it("is gone where lists lack it minutes later, whatever run looks", async () => {
        const context = { session: sessionOf().session, scope: place };
        const createdAt = new Date(Date.now() - 180_000).toISOString();
        server.current.answer(enveloped([]), enveloped([]));
        expect(await lookUp(webhooks, "a1", context, { state: { createdAt } })).to.equal("gone");
      });
    });
  });

  it("is found by itself where the list lags behind", async () => {
    server.current.answer(enveloped([]), enveloped({ id: "a1" }));
    expect(await look()).to.deep.equal({ id: "a1" });
  });

  it("is looked up by itself where the service has no route for the list", async () => {
    server.current.answer(noRoute, enveloped({ id: "a1" }));
    expect(await look()).to.deep.equal({ id: "a1" });
    expect(server.current.lines).to.deep.equal([list, get]);
  });

  it("is asked for itself where the API does not know its service", async () => {
    server.current.answer(refused(404, "NOT_FOUND: service not found"), refused(500, "INTERNAL: oops"));
    await failureOfType(look(), FailedService);
    expect(server.current.lines).to.deep.equal([list, get]);
  });

  it("is found in whichever case that wrote its id", async () => {
    server.current.answer(enveloped([{ id: "A1" }]), enveloped([{ id: "a1" }]));
    expect(await look()).to.deep.equal({ id: "a1" });
    expect(await lookUp(alerts, "A1", { session: sessionOf().session, scope: place })).to.deep.equal({
      id: "A1",
    });
  });

  it("is not taken for another one", async () => {
    server.current.answer(noRoute, enveloped({ id: "a2" }));
    const error = await failureOfType(look(), MalformedResponse);
    expect(error.message).to.match(/^the answer describes another object, not a1 \(getAlert: GET .*\)$/);
  });

  const failures: [string, Answer[], Parameters<typeof failureOfType>[1]][] = [
    ["the list fails", [refused(500, "INTERNAL: oops")], FailedService],
    ["the list is refused", [refused(403, "FORBIDDEN: no")], RefusedRequest],
    ["the list is empty text", [{ body: "" }], MalformedResponse],
    ["the list is a page", [{ body: "<html></html>" }], MalformedResponse],
    ["the list is no list", [enveloped({})], MalformedResponse],
    ["the list's answer is lost", [reset], LostAnswer],
    ["the list's answer does not come", [silence], TimedOut],
    ["neither route exists", [noRoute, noRoute], MissingRoute],
    ["the API says so, and has no route for the list", [noRoute, missing], MissingRoute],
    ["the API says so of it and of the list", [missing, missing], RefusedRequest],
    ["the list lacks it, and there is no route for it", [enveloped([]), noRoute], MissingRoute],
    [
      "the list lacks it, and the API says that its service is missing",
      [enveloped([]), refused(404, "NOT_FOUND: service not found")],
      RefusedRequest,
    ],
    [
      "the id is said to be invalid",
      [noRoute, refused(400, "BAD_REQUEST: Invalid alert id")],
      InvalidIdentifier,
    ],
  ];
  for (const [what, answers, type] of failures) {
    it(`is never said to be gone because ${what}`, async () => {
      server.current.answer(...answers);
      await failureOfType(look(), type);
      expect(server.current.requests).to.have.length(answers.length);
    });
  }

  describe("on the observability API alone, whose words a gateway may have too,", () => {
    const alone = { keyId: undefined, keySecret: undefined };
    const seek = () => lookUp(alerts, "a1", { session: sessionOf(alone).session, scope: {} });
    const gateway: Answer = { status: 404, body: { message: "no Route matched with those values" } };
    const unknown: Answer = { status: 404, body: { message: "Alert not found" } };
    const listOf = (...ids: string[]): Answer => ({ body: { data: ids.map((id) => ({ id })) } });
    const [listing, getting] = ["GET /api/v2/alerts", "GET /api/v2/alerts/a1"];

    for (const [what, answer] of [
      ["JSON", gateway],
      ["a page", noRoute],
    ] as const) {
      it(`is never said to be gone where there is no route for the list, by ${what}`, async () => {
        server.current.answer(answer, gateway);
        const error = await failureOfType(seek(), MissingRoute);
        expect(error.message).to.match(
          /; the API itself does not answer like this, so check the settings obsBaseUrl and dialect, or update the server: it may be too old for getAlert \(getAlert: /,
        );
        expect(server.current.lines).to.deep.equal([listing, getting]);
      });
    }

    it("is found by itself where there is no route for the list", async () => {
      server.current.answer(gateway, { body: { data: { id: "a1" } } });
      expect(await seek()).to.deep.equal({ id: "a1" });
    });

    it("is gone where the list lacks it, and the API says so", async () => {
      server.current.answer(listOf("a2"), unknown);
      expect(await seek()).to.equal("gone");
    });

    it("is never said to be gone where only a part of the list came", async () => {
      const part: Answer = { body: { data: [{ id: "a2" }], meta: { total: 2 } } };
      server.current.answer(part, { status: 400, body: { message: "limit" } }, unknown);
      await failureOfType(seek(), IncompleteList);
    });

    it("is gone in the words for dashboards", async () => {
      server.current.answer(listOf("d2"), { status: 404, body: "Not Found" });
      const context = { session: sessionOf(alone).session, scope: {} };
      expect(await lookUp(dashboards, "d1", context)).to.equal("gone");
    });

    const removing = () => deleteObject(alerts, "a1", {}, sessionOf(alone).session);
    const deletion = "DELETE /api/v2/alerts/a1";

    it("counts as deleted after a 404 if the list lacks it and the API says so", async () => {
      server.current.answer(unknown, listOf("a2"), unknown);
      await removing();
      expect(server.current.lines).to.deep.equal([deletion, listing, getting]);
    });

    it("stays in state after a 404 if the list has it", async () => {
      server.current.answer(unknown, listOf("a1"));
      await failureOfType(removing(), MissingObject);
    });

    it("stays in state after a 404 of everything", async () => {
      server.current.alwaysAnswer(gateway);
      await failureOfType(removing(), MissingRoute);
      expect(server.current.lines).to.deep.equal([deletion, listing, getting]);
    });
  });
});

describe("an answer", () => {
  const { session } = sessionFor({}, "http://127.0.0.1:9");

  it("is about the object that was asked for, in whichever case that wrote its id", () => {
    const answer = { id: serviceId };
    expect(aboutObject(answer, "getService", serviceId.toUpperCase(), session)).to.equal(answer);
  });

  for (const answer of [{ id: organizationId }, { id: 5 }, {}]) {
    it(`is refused if it is about something else: ${JSON.stringify(answer)}`, () => {
      expect(() => aboutObject(answer, "getService", serviceId, session)).to.throw(
        MalformedResponse,
        `the answer describes another object, not ${serviceId}`,
      );
    });
  }
});
