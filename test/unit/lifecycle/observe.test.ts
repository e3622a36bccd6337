import { expect } from "chai";
import { MalformedResponse, MissingRoute, NotShownYet } from "../../../provider/api/errors";
import type { Settings } from "../../../provider/api/settingsSchema";
import { listObjects, type Observable, observe } from "../../../provider/lifecycle/observe";
import { seenOrGone, Unseen } from "../../../provider/lifecycle/state";
import { alertResource } from "../../../provider/resources/alert/alert";
import { resources } from "../../../provider/resources/registry";
import { webhookResource } from "../../../provider/resources/webhook/webhook";
import type { PropertyMap } from "../../../provider/values/data";
import { failureOfType } from "../api/failure";
import { type Answer, enveloped, organizationId, refused, useServer } from "../api/server";
import { useVirtualTime } from "../api/virtualTime";
import { sessionFor } from "./note";

// The lists in these tests contain only ids. The provider knows a property that every object of the type has, and takes an
// entry without it for incomplete. So the tests remove that property from the type's definition.
const alerts: Observable = { ...alertResource, completenessField: undefined };
const webhooks: Observable = { ...webhookResource, completenessField: undefined };
const services: Observable = resources.ServiceScaling;
const endpoints: Observable = resources.QueryEndpoint;
const boards: Observable = resources.Dashboard;

type Look = NonNullable<Parameters<typeof observe>[3]>;

const noRoute: Answer = { status: 404, body: "<html><body>Cannot GET /</body></html>" };
const missing = refused(404, "NOT_FOUND: alert not found");
const noBoard = refused(404, "NOT_FOUND: dashboard not found");
const noService = refused(404, "NOT_FOUND: service not found");
const invalidId = refused(400, "BAD_REQUEST: Invalid alert id");
const noServiceId = refused(400, "BAD_REQUEST: Invalid service id");
const listOf = (...ids: string[]) => enveloped(ids.map((id) => ({ id })));
const part: Answer = { body: { status: 200, requestId: "r1", result: [], totalCount: 2 } };
/** A list without a count whose length alone suggests that it is cut off; such a list has no second page. */
const full = listOf(...Array.from({ length: 100 }, (_, at) => `b${at}`));
const single = enveloped({ id: "a1" });
const oops = refused(500, "INTERNAL: oops");

const denied = refused(404, "NOT_FOUND: nothing is there");
const gateway = refused(404, "HTTP 404 NOT_FOUND");
const endpoint = enveloped({ openApiKeys: [] });
const noEndpoint = (noun: string) => refused(404, `${noun} is missing`);
const inPart = enveloped([{ id: "a1", name: "Board" }]);
const isDoubtful = () => true;

/** Cases of reading an object: the answers to the provider's requests in order, and the expected outcome. */
const looks: [string, Observable, Answer[], string, Look?][] = [
  ["an alert in the list", alerts, [listOf("a0", "a1", "a2")], "found"],
  ["an alert whose id the list has in other letters", alerts, [listOf("A1")], "found"],
  ["an alert that the list lacks", alerts, [listOf(), single], "found"],
  ["an alert of a server without a list", alerts, [noRoute, single], "found"],
  ["an alert whose list the API does not know", alerts, [missing, single], "found"],
  ["an alert whose list is incomplete", alerts, [part, single], "found"],
  ["an alert that neither the list nor the API has", alerts, [listOf(), missing], "gone"],
  ["an alert that the list lacks, and whose id is invalid", alerts, [listOf(), invalidId], "gone"],
  ["an alert whose list fails", alerts, [oops], "FailedService"],
  ["an alert whose list is refused", alerts, [refused(403, "FORBIDDEN: no")], "RefusedRequest"],
  ["an alert without any route", alerts, [noRoute, noRoute], "MissingRoute"],
  ["an alert that the API alone denies, without a list", alerts, [noRoute, missing], "unseen: MissingRoute"],
  ["an alert that the API denies like its list", alerts, [missing, missing], "unseen: RefusedRequest"],
  [
    "an alert that the list lacks, without a route for it",
    alerts,
    [listOf(), noRoute],
    "unseen: MissingRoute",
  ],
  ["an alert that the list lacks, on no service", alerts, [listOf(), noService], "RefusedRequest"],
  ["an alert whose id alone is invalid", alerts, [noRoute, invalidId], "unseen: InvalidIdentifier"],
  ["an alert that the list shows late", alerts, [listOf("a1"), single], "found", { isDoubtful }],
  ["an alert that the list alone shows, late", alerts, [listOf("a1"), missing], "found", { isDoubtful }],
  [
    "an alert that the list shows late, without a route",
    alerts,
    [listOf("a1"), noRoute],
    "found",
    { isDoubtful },
  ],
  [
    "an alert that the list shows late, and that fails",
    alerts,
    [listOf("a1"), oops],
    "FailedService",
    { isDoubtful },
  ],
  ["a deleted dashboard whose list looks cut off", boards, [full, noBoard], "gone", { isDeleted: true }],
  [
    "a dashboard that a deletion did not find, by such a list",
    boards,
    [full, noBoard],
    "gone",
    { isDenied: true },
  ],
  ["a dashboard whose list looks cut off", boards, [full, noBoard], "unseen: IncompleteList"],
  [
    "a deleted dashboard whose list is cut off",
    boards,
    [part, noBoard],
    "unseen: IncompleteList",
    { isDeleted: true },
  ],
  ["a dashboard that the list shows in part", boards, [inPart, single], "found"],
  ["a dashboard that the list alone shows, in part", boards, [inPart, noRoute], "MissingRoute"],
  ["a webhook that two lists lack", webhooks, [listOf(), listOf("a2")], "gone"],
  ["a webhook that the first list alone lacks", webhooks, [listOf(), listOf("a1")], "found"],
  [
    "a webhook that a list lacks and a deletion did not find",
    webhooks,
    [listOf()],
    "gone",
    { isDenied: true },
  ],
  ["a webhook without a route", webhooks, [noRoute], "MissingRoute"],
  ["a webhook on no service", webhooks, [noService], "RefusedRequest"],
  ["a webhook whose second list fails", webhooks, [listOf(), oops], "FailedService"],
  ["a webhook whose second list is incomplete", webhooks, [listOf(), part], "IncompleteList"],
  ["a service in the list", services, [listOf("a1")], "found"],
  ["a service that the list lacks", services, [listOf(), single], "found"],
  ["a service that the list shows late", services, [listOf("a1"), single], "found", { isDoubtful }],
  [
    "a service that the list alone shows, late",
    services,
    [listOf("a1"), noService],
    "MissingObject",
    { isDoubtful },
  ],
  ["a service whose list is refused", services, [refused(403, "FORBIDDEN: no"), single], "found"],
  ["a service that neither the list nor the API has", services, [listOf(), noService], "gone"],
  ["a service that the API denies, without a list", services, [noRoute, noService], "gone"],
  [
    "a service that the API does not name, without a list",
    services,
    [noRoute, denied],
    "unseen: MissingRoute",
  ],
  [
    "a service that the API denies, with its list refused",
    services,
    [oops, noService],
    "unseen: FailedService",
  ],
  [
    "a service whose id is invalid, without a list",
    services,
    [noRoute, noServiceId],
    "unseen: InvalidIdentifier",
  ],
  [
    "a service in whose place another one comes",
    services,
    [listOf(), enveloped({ id: "a2" })],
    "MalformedResponse",
  ],
  ["an endpoint", endpoints, [endpoint], "found"],
  ["an endpoint that fails", endpoints, [oops], "FailedService"],
  [
    "an endpoint that a service lacks by name",
    endpoints,
    [noEndpoint("Query endpoint"), listOf("a1")],
    "gone",
  ],
  [
    "an endpoint that a service lacks by type",
    endpoints,
    [noEndpoint("QueryEndpoint"), listOf("a1")],
    "gone",
  ],
  ["an endpoint that a service lacks by code", endpoints, [denied, listOf("a1")], "gone"],
  ["an endpoint of no service", endpoints, [denied, listOf(), noService], "gone"],
  [
    "an endpoint of a service that nothing shows",
    endpoints,
    [denied, noRoute, denied],
    "unseen: MissingRoute",
  ],
  ["an endpoint that a gateway denies", endpoints, [gateway], "MissingRoute"],
];

const stem = /^GET \/v1\/organizations\/[^/]+(\/services\/a1\/stack)?\//;
const requestsFor = new Map([
  [alerts, ["alerts", "alerts/a1"]],
  [boards, ["dashboards", "dashboards/a1"]],
  [webhooks, ["webhooks", "webhooks"]],
  [services, ["services", "services/a1"]],
  [endpoints, ["services/a1/serviceQueryEndpoint", "services", "services/a1"]],
]);

describe("Reads of single objects", () => {
  const server = useServer();
  useVirtualTime();
  const contextOf = (changed: Partial<Settings> = {}) => ({
    session: sessionFor({ maxRetries: 0, ...changed }, server.current.url).session,
    scope: { organizationId, serviceId: "a1" },
  });
  /** Returns the object that was read, or `gone`. An unclear outcome is an error, as in a refresh. */
  const lookUp = async (...look: Parameters<typeof observe>) => seenOrGone(await observe(...look));
  const outcomeOf = async (...look: Parameters<typeof observe>) => {
    try {
      const observed = await observe(...look);
      return observed instanceof Unseen ? `unseen: ${observed.reason.name}` : observed;
    } catch (error) {
      return (error as Error).name;
    }
  };

  for (const [what, resource, answers, outcome, look] of looks)
    it(`the read of ${what} has the outcome ${outcome}`, async () => {
      server.current.answer(...answers);
      const found = resource === endpoints ? { openApiKeys: [] } : { id: "a1" };
      expect(await outcomeOf(resource, "a1", contextOf(), look)).to.deep.equal(
        outcome === "found" ? found : outcome,
      );
      expect(server.current.lines.map((line) => line.replace(stem, ""))).to.deep.equal(
        requestsFor.get(resource)?.slice(0, answers.length),
      );
    });

  it("the result of a read has the id in the letter case of the state", async () => {
    server.current.answer(listOf("a1"));
    expect(await lookUp(alerts, "A1", contextOf())).to.deep.equal({ id: "A1" });
  });

  it("the answer to a read about another object is an error", async () => {
    server.current.answer(noRoute, enveloped({ id: "a2" }));
    const { message } = await failureOfType(lookUp(alerts, "a1", contextOf()), MalformedResponse);
    expect(message).to.match(/^the answer describes another object, not a1 \(getAlert: GET .*\)$/);
  });

  it("an error names the setting to check if a gateway, not the API, denies that an endpoint exists", async () => {
    server.current.answer(gateway);
    const { message } = await failureOfType(lookUp(endpoints, "a1", contextOf()), MissingRoute);
    expect(message).to.match(
      /NOT_FOUND; the API itself .* name the query endpoint, so check the setting baseUrl/,
    );
  });

  it("a dashboard is read by its id if the list shows it without its tiles", async () => {
    server.current.answer(enveloped([{ id: "d1", name: "Board" }]), enveloped({ id: "D1", tiles: [] }));
    expect(await lookUp(boards, "d1", contextOf())).to.deep.equal({ id: "d1", tiles: [] });
  });

  for (const [what, resource, answer, objects] of [
    ["a collection", alerts, listOf("a1", "a2"), [{ id: "a1" }, { id: "a2" }]],
    ["an endpoint, by the id of its service", endpoints, endpoint, [{ openApiKeys: [], id: "a1" }]],
    ["an endpoint that is not there", endpoints, denied, "MissingObject"],
    ["an endpoint that fails", endpoints, oops, "FailedService"],
  ] as const)
    it(`a read of all objects of ${what} has the result ${JSON.stringify(objects)}`, async () => {
      server.current.answer(answer);
      const listed = await listObjects(resource, contextOf()).catch((error) => error.name);
      expect(listed).to.deep.equal(objects);
    });

  describe("Reads of a newly created webhook", () => {
    const seconds = () => Math.floor(Date.now() / 1000).toString(16);
    const milliseconds = () => Date.now().toString(16).padStart(12, "0").replace(/^.{8}/, "$&-");
    const now = () => new Date().toISOString();
    for (const [what, idOf, state] of [
      ["the service's time in the state", () => "a1", () => ({ createdAt: now() })],
      ["the time in its id", () => `${seconds()}4c3d2e1f0a9b8c7d`, () => ({})],
      ["the time in its UUID", () => `${milliseconds()}-7b3c-8d4e-5f6071829304`, () => ({})],
      ["the provider's time in the state", () => "a1", () => ({ __tracking: { createdAt: now() } })],
    ] as [string, () => string, () => PropertyMap][])
      it(`a read does not take a new webhook for gone although lists lack it: it knows the webhook's age from ${what}`, async () => {
        const id = idOf();
        server.current.answer(listOf(), listOf());
        const { message } = await failureOfType(
          lookUp(webhooks, id, contextOf(), { state: state() }),
          NotShownYet,
        );
        expect(message).to.match(
          new RegExp(
            `^the service does not show webhook ${id}, which was created less than 3 minutes ago: reads may lag behind, or somebody has deleted it; try again in 3 minutes \\(listWebhooks: `,
          ),
        );
      });
  });
});
