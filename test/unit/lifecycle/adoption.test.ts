import { expect } from "chai";
import type { Settings } from "../../../provider/api/settingsSchema";
import { create, update } from "../../../provider/lifecycle/lifecycle";
import { resources } from "../../../provider/resources/registry";
import { failureOf } from "../api/failure";
import { enveloped, place, serviceId, useServer } from "../api/server";
import { live, noteResource, sessionFor } from "./note";

const alert = {
  name: "Slow",
  source: "search",
  threshold: 5,
  thresholdType: "above",
  interval: "5m",
  channel: { type: "webhook", webhookId: "w1" },
};

describe("an object that is adopted", () => {
  const server = useServer();
  const session = (changed: Partial<Settings> = {}) =>
    sessionFor({ maxRetries: 0, ...changed }, server.current.url).session;

  it("is looked up and updated to what is declared", async () => {
    const declared = { ...place, ...alert, threshold: 6, adoptId: "a1" };
    server.current.answer(enveloped([{ id: "a1", ...alert }]), {
      body: { data: { id: "a1", ...alert, threshold: 6 } },
    });
    const { id, state } = await create(resources.Alert, declared, session());
    expect(id).to.equal("a1");
    expect(state).to.include({ adoptId: "a1", threshold: 6 });
    expect(server.current.requests.map(({ method }) => method)).to.deep.equal(["GET", "PUT"]);
    expect(server.current.requests[1]?.body).to.deep.equal({ ...alert, threshold: 6 });
  });

  it("must exist", async () => {
    server.current.answer(enveloped([{ id: "a2", ...alert }]));
    const error = await failureOf(create(resources.Alert, { ...place, ...alert, adoptId: "a1" }, session()));
    expect(error.message).to.equal(`adoptId: service ${serviceId} has no alert a1`);
    expect(server.current.requests).to.have.length(1);
  });

  it("is not asked for where the settings rule out its update", async () => {
    const declared = { ...place, name: "k", roles: ["admin"], adoptId: "k1" };
    const error = await failureOf(create(resources.ApiKey, declared, session({ operations: "documented" })));
    expect(error.message).to.match(/^adoptId: adopting API key k1 needs an undocumented operation, /);
    expect(server.current.requests).to.deep.equal([]);
  });

  it("is of a type that can be adopted", async () => {
    server.current.answer(enveloped([{ id: "n1" }]));
    const note = noteResource({ create: async () => ({ id: "n1", live: live({}) }) });
    const error = await failureOf(create(note, { ...place, title: "a", adoptId: "n1" }, session()));
    expect(error.message).to.equal("adoptId: a note cannot be adopted");
  });
});

describe("a property that the program no longer declares", () => {
  const server = useServer();

  it("is reset where the API has a value for it, and else kept with a warning", async () => {
    const { session, warnings } = sessionFor({ maxRetries: 0 }, server.current.url);
    const declared = { organizationId: place.organizationId, name: "k", roles: ["admin"] };
    const state = {
      ...declared,
      state: "disabled",
      expireAt: "2030-01-01T00:00:00Z",
      ipAccessList: [{ source: "203.0.113.0/24" }],
    };
    server.current.answer(enveloped({ id: "k1", ...declared, state: "enabled" }));
    await update(resources.ApiKey, "k1", state, declared, session);
    expect(server.current.onlyRequest.body).to.deep.equal({
      name: "k",
      roles: ["admin"],
      state: "enabled",
      expireAt: null,
    });
    expect(warnings).to.deep.equal([
      'API key k1 keeps its ipAccessList, which the API cannot remove; declare [{ source: "0.0.0.0/0" }] to allow all addresses',
    ]);
  });
});
