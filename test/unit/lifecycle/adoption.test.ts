import { expect } from "chai";
import type { Settings } from "../../../provider/api/settingsSchema";
import { resources } from "../../../provider/resources/registry";
import { failureOf } from "../api/failure";
import { enveloped, place, refused, serviceId, useServer } from "../api/server";
import { alert, dashboard, key, tile } from "./collectionServer";
import { sessionFor } from "./note";

describe("an object that is adopted", () => {
  const server = useServer();
  const session = (changed: Partial<Settings> = {}) =>
    sessionFor({ maxRetries: 0, ...changed }, server.current.url).session;

  it("is looked up and updated to what is declared", async () => {
    const declared = { ...place, ...alert, threshold: 6, adoptId: "a1" };
    server.current.answer(enveloped([{ id: "a1", ...alert }]), {
      body: { data: { id: "a1", ...alert, threshold: 6 } },
    });
    const { id, state } = await resources.Alert.create(declared, session());
    expect(id).to.equal("a1");
    expect(state).to.include({ adoptId: "a1", threshold: 6 });
    expect(server.current.requests.map(({ method }) => method)).to.deep.equal(["GET", "PUT"]);
    expect(server.current.requests[1]?.body).to.deep.equal({ ...alert, threshold: 6 });
  });

  it("keeps the ids of its tiles, where the list shows none", async () => {
    const tiles = [{ id: "t1", ...tile }];
    const { name } = dashboard;
    const whole = { id: "d1", name, tiles };
    server.current.answer(enveloped([{ id: "d1", name }]), enveloped(whole), { body: { data: whole } });
    const declared = { ...place, ...dashboard, adoptId: "d1" };
    const { state } = await resources.Dashboard.create(declared, session());
    expect(server.current.requests[2]?.body).to.deep.equal({ ...dashboard, tiles });
    expect(state.tileIds).to.deep.equal({ Errors: "t1" });
  });

  it("is said to have no secret, if it is a key", async () => {
    const { session: own, warnings } = sessionFor({ maxRetries: 0 }, server.current.url);
    server.current.answer(enveloped([{ id: "k1", ...key }]), enveloped({ id: "k1", ...key }));
    await resources.ApiKey.create({ ...place, ...key, adoptId: "k1" }, own);
    expect(warnings).to.deep.equal([
      "API key k1 is adopted without its secret, which the service shows only at creation",
    ]);
  });

  it("must exist", async () => {
    server.current.answer(enveloped([{ id: "a2", ...alert }]), refused(404, "NOT_FOUND: alert not found"));
    const error = await failureOf(resources.Alert.create({ ...place, ...alert, adoptId: "a1" }, session()));
    expect(error.message).to.equal(`adoptId: service ${serviceId} has no alert a1`);
    expect(server.current.requests).to.have.length(2);
  });
});

describe("a property that the program no longer declares", () => {
  const server = useServer();

  it("is reset where the API has a value for it, with a warning if the service keeps it", async () => {
    const { session, warnings } = sessionFor({ maxRetries: 0 }, server.current.url);
    const declared = { organizationId: place.organizationId, name: "k", roles: ["admin"] };
    const state = {
      ...declared,
      state: "disabled",
      expireAt: "2030-01-01T00:00:00Z",
      ipAccessList: [{ source: "203.0.113.0/24" }],
    };
    const answer = { id: "k1", ...declared, state: "enabled" };
    const listed = enveloped([{ id: "k1", ...state }]);
    server.current.answer(listed, enveloped({ ...answer, ipAccessList: state.ipAccessList }));
    await resources.ApiKey.update("k1", state, declared, session);
    expect(server.current.requests[1]?.body).to.deep.equal({
      name: "k",
      roles: ["admin"],
      state: "enabled",
      expireAt: null,
    });
    expect(warnings).to.deep.equal([
      'API key k1 keeps its ipAccessList, which the API cannot remove; declare [{ source: "0.0.0.0/0" }] to allow all addresses',
    ]);

    const other = sessionFor({ maxRetries: 0 }, server.current.url);
    server.current.answer(listed, enveloped(answer));
    await resources.ApiKey.update("k1", state, declared, other.session);
    expect(other.warnings, "where the service does not keep it").to.deep.equal([]);
  });
});

describe("a secret that was shown at creation", () => {
  const server = useServer();
  const { organizationId } = place;
  const state = { organizationId, ...key, keyId: "own", keySecret: "s3cret" };
  const masked = { id: "k1", ...key, keyId: "other", keySecret: "****" };

  it("stays, whatever a list or the answer to an update shows in its place", async () => {
    const { session } = sessionFor({ maxRetries: 0 }, server.current.url);
    server.current.answer(enveloped([masked]), enveloped([masked]), enveloped(masked));
    const found = await resources.ApiKey.read("k1", state, session);
    expect(found).to.have.property("state").that.includes({ keyId: "own", keySecret: "s3cret" });
    const updated = await resources.ApiKey.update("k1", state, { organizationId, ...key }, session);
    expect(updated).to.include({ keyId: "own", keySecret: "s3cret" });
  });
});
