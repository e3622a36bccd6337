import { expect } from "chai";
import { LostAnswer, MissingObject, SettingsError } from "../../../provider/api/errors";
import { type OperationName, operations } from "../../../provider/api/operations";
import type { Settings } from "../../../provider/api/settingsSchema";
import { check } from "../../../provider/lifecycle/check";
import { diff } from "../../../provider/lifecycle/diff";
import { alertResource } from "../../../provider/resources/alert/alert";
import { dashboardResource } from "../../../provider/resources/dashboard/dashboard";
import { resources, typeNames } from "../../../provider/resources/registry";
import { sessionFor } from "../lifecycle/note";
import { failureOf, failureOfType } from "./failure";
import { organizationId, place, reset, serviceId, useServer } from "./server";

const service = `/v1/organizations/${organizationId}/services/${serviceId}`;
const keyOnly = { accessToken: undefined };
const tokenOnly = { keyId: undefined, keySecret: undefined, organizationId: undefined, serviceId: undefined };
const clickhouse = { dialect: "clickhouse" } as const;
const alert = {
  threshold: 1,
  interval: "5m",
  thresholdType: "above",
  source: "search",
  channel: { type: "webhook", webhookId: "w" },
};

describe("the API that serves dashboards and alerts", () => {
  const derived: [Partial<Settings>, string][] = [
    [{}, "both"],
    [keyOnly, "management"],
    [{ keyId: undefined }, "observability"],
    [{ keySecret: undefined }, "observability"],
    [tokenOnly, "observability"],
    [{ ...tokenOnly, ...keyOnly }, "both"],
    [{ observabilityVia: "management" }, "management"],
    [{ ...keyOnly, observabilityVia: "observability" }, "observability"],
    [{ ...tokenOnly, observabilityVia: "both" }, "both"],
    [clickhouse, "management"],
    [{ ...clickhouse, ...tokenOnly }, "observability"],
    [{ ...clickhouse, ...tokenOnly, ...keyOnly }, "management"],
    [{ ...clickhouse, observabilityVia: "both" }, "both"],
  ];
  for (const [changed, expected] of derived) {
    const given = Object.entries(changed).map(([name, value]) => (value ? `${name} ${value}` : `no ${name}`));
    it(`is ${expected} with ${given.join(", ") || "all settings"}`, () => {
      expect(sessionFor(changed).session.observabilityVia).to.equal(expected);
    });
  }
});

describe("operations on the observability side", () => {
  const server = useServer();
  const sessionWith = (changed: Partial<Settings>) =>
    sessionFor({ maxRetries: 0, ...changed }, server.current.url).session;

  const names = Object.keys(operations) as OperationName[];
  const onStack = names.filter((name) => "otherPath" in operations[name]);
  /** One of an object, of a collection, or the check of a dashboard. */
  const path = "[a-z-]+(/x|/validate)?$";

  it("are on either API for every type but connections, which only self-hosted servers have", () => {
    const own = typeNames
      .filter((type) => resources[type].scope === "observability" && type !== "Connection")
      .flatMap((type) => Object.values(resources[type].operations));
    expect(onStack).to.have.members([...own, "validateDashboard"]);
  });

  /** What the operations of dashboards and so on ask for, each as a wire line after the service. */
  async function linesOf(changed: Partial<Settings>) {
    const result = { id: "x", errors: [] };
    server.current.alwaysAnswer({ body: { status: 200, requestId: "r", result, data: result, errors: [] } });
    const session = sessionWith(changed);
    for (const name of onStack) {
      const isList = name.startsWith("list");
      if (isList) server.current.answer({ body: { status: 200, requestId: "r", result: [], data: [] } });
      if (name.startsWith("delete")) {
        const isBare = changed.keySecret === undefined && "keySecret" in changed;
        server.current.answer({ body: isBare ? {} : { status: 200, requestId: "r" } });
      }
      await session.call(name, { ...place, id: "x" }, isList ? undefined : {});
    }
    return server.current.lines.map((line) => line.replace(service, ""));
  }

  it("all go to the management API with a key alone", async () => {
    const lines = await linesOf(keyOnly);
    expect(lines).to.have.length(onStack.length);
    for (const line of lines) expect(line).to.match(new RegExp(`^[A-Z]+ /stack/${path}`));
    expect(lines).to.include.members(
      ["dashboards", "alerts", "sources", "saved-searches"]
        .flatMap((noun) => [
          `GET /stack/${noun}`,
          `POST /stack/${noun}`,
          `GET /stack/${noun}/x`,
          `PUT /stack/${noun}/x`,
          `DELETE /stack/${noun}/x`,
        ])
        .concat("GET /stack/webhooks", "POST /stack/webhooks", "PUT /stack/webhooks/x")
        .concat("DELETE /stack/webhooks/x", "POST /stack/dashboards/validate"),
    );
    expect(
      server.current.requests.every(({ headers }) => headers.authorization?.startsWith("Basic ")),
    ).to.equal(true);
  });

  it("all go to the observability API with a token alone", async () => {
    const lines = await linesOf(tokenOnly);
    expect(lines).to.have.length(onStack.length);
    for (const line of lines) expect(line).to.match(new RegExp(`^[A-Z]+ /api/v2/${path}`));
    expect(
      server.current.requests.every(({ headers }) => headers.authorization === "Bearer token-77"),
    ).to.equal(true);
  });

  it("go to the API that the document names if there are both", async () => {
    const lines = await linesOf({});
    expect(lines.filter((line) => line.includes("/api/v2/"))).to.have.members([
      "PUT /api/v2/dashboards/x",
      "PUT /api/v2/alerts/x",
    ]);
    expect(lines.filter((line) => line.includes("/stack/"))).to.have.length(onStack.length - 2);
  });

  it("go to the observability API for connections with a token alone, and fail with a key alone", async () => {
    const lists = [clickhouse, {}].map((dialect) => sessionWith({ ...dialect, ...tokenOnly }));
    for (const session of lists) {
      server.current.answer({ body: { data: [] } });
      expect(await session.call("listConnections", place)).to.deep.equal([]);
    }
    expect(server.current.lines).to.deep.equal(Array(2).fill("GET /api/v2/connections"));
    const error = await failureOfType(sessionWith(keyOnly).call("listConnections", place), SettingsError);
    expect(error.message).to.match(/^setting accessToken is missing/);
  });

  it("do not bring keys to the observability API", async () => {
    const error = await failureOfType(sessionWith(tokenOnly).call("listKeys", place), SettingsError);
    expect(error.message).to.match(/^settings keyId and keySecret are missing/);
  });
});

describe("resources on the observability API alone", () => {
  const server = useServer();
  const { session: unplaced } = sessionFor(tokenOnly);
  const session = () => sessionFor({ maxRetries: 0, ...tokenOnly }, server.current.url).session;

  it("need no organization and no service", () => {
    const { inputs, failures } = check(alertResource, {}, alert, unplaced);
    expect(failures).to.deep.equal([]);
    expect(inputs).to.deep.equal(alert);
  });

  it("need both if their type is on the management API", () => {
    const elsewhere = { ...alertResource, scope: "service" } as const;
    const { failures } = check(elsewhere, {}, alert, unplaced);
    expect(failures.map(({ message }) => message.split("; ")[0])).to.deep.equal([
      "settings organizationId and serviceId are missing",
    ]);
  });

  it("have the service that the settings name", () => {
    const { session } = sessionFor({ ...tokenOnly, serviceId });
    expect(check(alertResource, {}, alert, session).inputs).to.deep.equal({ ...alert, serviceId });
  });

  it("are not replaced when the settings no longer name their service", () => {
    const before = { ...alert, organizationId, serviceId };
    const { inputs } = check(alertResource, before, alert, unplaced);
    expect(inputs).to.deep.equal(before);
    expect(diff(alertResource, "a", before, inputs, unplaced)).to.deep.equal([]);
  });

  it("are not replaced when the settings begin to name their service", () => {
    const { session } = sessionFor();
    const { inputs } = check(alertResource, alert, alert, session);
    expect(diff(alertResource, "a", alert, inputs, session)).to.deep.equal([
      { path: "organizationId", kind: "add", replaces: false },
      { path: "serviceId", kind: "add", replaces: false },
    ]);
  });

  it("are created, read and deleted on that API", async () => {
    const answered = { id: "a", ...alert };
    const [none, one] = [[], [answered]];
    for (const data of [none, answered, one]) server.current.answer({ body: { data } });
    server.current.answer({ body: {} });
    const own = session();
    const { id, state } = await alertResource.create(alert, own);
    const found = await alertResource.read(id, state, own);
    expect(found).to.deep.equal({ inputs: alert, state });
    await alertResource.delete(id, state, own);
    expect(server.current.lines).to.deep.equal([
      "GET /api/v2/alerts",
      "POST /api/v2/alerts",
      "GET /api/v2/alerts",
      "DELETE /api/v2/alerts/a",
    ]);
  });

  it("are looked for on the server after a create without an answer", async () => {
    server.current.answer({ body: { data: [] } }, reset);
    const dashboard = { name: "Errors", tiles: [] };
    const error = await failureOf(dashboardResource.create(dashboard, session()));
    expect(error.message).to.include(
      'run npx pipestack orphans; if it lists a dashboard named "Errors" on the server, adopt it',
    );
    expect(error).to.not.be.instanceOf(LostAnswer);
  });

  it("count as gone after a plain 404 only if the list lacks them, too", async () => {
    const plain = { status: 404, headers: { "content-type": "text/plain" }, body: "Not Found" };
    server.current.answer(plain, { body: { data: [] } }, plain);
    await dashboardResource.delete("d", {}, session());
    server.current.answer(plain, { body: { data: [{ id: "d", tiles: [] }] } });
    await failureOfType(dashboardResource.delete("d", {}, session()), MissingObject);
  });
});
