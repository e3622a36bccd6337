import { expect } from "chai";
import {
  ApiError,
  FailedService,
  IncompleteList,
  InvalidIdentifier,
  MalformedResponse,
  MissingRoute,
  RefusedRequest,
} from "../../../provider/api/errors";
import type { Settings } from "../../../provider/api/settingsSchema";
import { type Observable, observe } from "../../../provider/lifecycle/observe";
import { seenOrGone } from "../../../provider/lifecycle/state";
import { alertResource } from "../../../provider/resources/alert/alert";
import { dashboardResource } from "../../../provider/resources/dashboard/dashboard";
import { webhookResource } from "../../../provider/resources/webhook/webhook";
import type { Data } from "../../../provider/values/data";
import { failureOfType } from "../api/failure";
import { type Answer, enveloped, place, refused, useServer } from "../api/server";
import { useVirtualTime } from "../api/virtualTime";
import { sessionFor } from "./note";

// A list of these tests shows ids alone.
const alerts: Observable = { ...alertResource, sureMember: undefined };
const webhooks: Observable = { ...webhookResource, sureMember: undefined };

type Failure = Parameters<typeof failureOfType>[1];

const noRoute: Answer = { status: 404, body: "<html><body>Cannot GET /</body></html>" };
const missing = refused(404, "NOT_FOUND: alert not found");
const noService = refused(404, "NOT_FOUND: service not found");
const invalidId = refused(400, "BAD_REQUEST: Invalid alert id");
const listOf = (...ids: string[]) => enveloped(ids.map((id) => ({ id })));
const part: Answer = { body: { status: 200, requestId: "r1", result: [], totalCount: 2 } };
const single = enveloped({ id: "a1" });
const oops = refused(500, "INTERNAL: oops");

/** What is answered to the list and the look at the alert itself, or to two lists of webhooks, and what comes of it. */
const looks: [string, Observable, Answer[], "found" | "gone" | Failure][] = [
  ["an alert in the list", alerts, [listOf("a0", "a1", "a2")], "found"],
  ["an alert whose id the list has in other letters", alerts, [listOf("A1")], "found"],
  ["an alert that the list lacks", alerts, [listOf(), single], "found"],
  ["an alert of a server without a list", alerts, [noRoute, single], "found"],
  ["an alert whose list the API does not know", alerts, [missing, single], "found"],
  ["an alert that neither the list nor the API has", alerts, [listOf(), missing], "gone"],
  ["an alert that the list lacks, and whose id is invalid", alerts, [listOf(), invalidId], "gone"],
  ["an alert whose list fails", alerts, [oops], FailedService],
  ["an alert whose list is refused", alerts, [refused(403, "FORBIDDEN: no")], RefusedRequest],
  ["an alert whose list is a page", alerts, [{ body: "<html></html>" }], MalformedResponse],
  ["an alert without any route", alerts, [noRoute, noRoute], MissingRoute],
  ["an alert that the API alone denies, without a list", alerts, [noRoute, missing], MissingRoute],
  ["an alert that the API denies like its list", alerts, [missing, missing], RefusedRequest],
  ["an alert that the list lacks, without a route for it", alerts, [listOf(), noRoute], MissingRoute],
  ["an alert that the list lacks, on no service", alerts, [listOf(), noService], RefusedRequest],
  ["an alert whose id alone is invalid", alerts, [noRoute, invalidId], InvalidIdentifier],
  ["a webhook that two lists lack", webhooks, [listOf(), listOf("a2")], "gone"],
  ["a webhook that the first list alone lacks", webhooks, [listOf(), listOf("a1")], "found"],
  ["a webhook without a route", webhooks, [noRoute], MissingRoute],
  ["a webhook on no service", webhooks, [noService], RefusedRequest],
  ["a webhook whose second list fails", webhooks, [listOf(), oops], FailedService],
  ["a webhook whose second list is incomplete", webhooks, [listOf(), part], IncompleteList],
];

describe("Looks", () => {
  const server = useServer();
  useVirtualTime();
  const contextOf = (changed: Partial<Settings> = {}) => ({
    session: sessionFor({ maxRetries: 0, ...changed }, server.current.url).session,
    scope: place,
  });
  const lines = () => server.current.lines.map((line) => line.replace(/\/v1.*\/stack/, ""));
  /** The object, or `gone`; a doubt is an error, as it is in a refresh. */
  const lookUp = async (...look: Parameters<typeof observe>) => seenOrGone(await observe(...look));

  for (const list of ["shared", "beforeWrites", "fresh"] as const)
    for (const [what, resource, answers, outcome] of looks) {
      const result = typeof outcome === "string" ? outcome : outcome.name;
      it(`the look for ${what} (${list}) ends so: ${result}`, async () => {
        server.current.answer(...answers);
        const looking = lookUp(resource, "a1", contextOf(), { list });
        if (outcome === "gone") expect(await looking).to.equal("gone");
        else if (outcome === "found") expect(await looking).to.deep.equal({ id: "a1" });
        else await failureOfType(looking, outcome);
        const single = resource === alerts ? "GET /alerts/a1" : "GET /webhooks";
        const listing = resource === alerts ? "GET /alerts" : "GET /webhooks";
        expect(lines()).to.deep.equal([listing, single].slice(0, answers.length));
      });
    }

  it("names the object in the state's letters, and another one that comes in its place", async () => {
    server.current.answer(listOf("a1"), noRoute, enveloped({ id: "a2" }));
    expect(await lookUp(alerts, "A1", contextOf())).to.deep.equal({ id: "A1" });
    const { message } = await failureOfType(lookUp(alerts, "a1", contextOf()), MalformedResponse);
    expect(message).to.match(/^the answer describes another object, not a1 \(getAlert: GET .*\)$/);
  });

  it("reads a dashboard by itself if the list shows it without its tiles", async () => {
    server.current.answer(enveloped([{ id: "d1", name: "Board" }]), enveloped({ id: "D1", tiles: [] }));
    expect(await lookUp(dashboardResource, "d1", contextOf())).to.deep.equal({ id: "d1", tiles: [] });
  });

  describe("a newly created webhook", () => {
    const seconds = () => Math.floor(Date.now() / 1000).toString(16);
    const milliseconds = () => Date.now().toString(16).padStart(12, "0").replace(/^.{8}/, "$&-");
    const now = () => new Date().toISOString();
    for (const [what, idOf, state] of [
      ["the service told the state", () => "a1", () => ({ createdAt: now() })],
      ["its id tells", () => `${seconds()}4c3d2e1f0a9b8c7d`, () => ({})],
      ["its UUID tells", () => `${milliseconds()}-7b3c-8d4e-5f6071829304`, () => ({})],
      ["the stamp in the state tells", () => "a1", () => ({ __tracking: { createdAt: now() } })],
    ] as [string, () => string, () => Data][])
      it(`believes no list that lacks a new webhook, as ${what}`, async () => {
        const id = idOf();
        server.current.answer(listOf(), listOf());
        const { message } = await failureOfType(
          lookUp(webhooks, id, contextOf(), { state: state() }),
          ApiError,
        );
        expect(message).to.match(
          new RegExp(
            `^the service does not show webhook ${id}, which was created less than 3 minutes ago: reads may lag behind, or somebody has deleted it; try again in 3 minutes \\(listWebhooks: `,
          ),
        );
      });
  });
});
