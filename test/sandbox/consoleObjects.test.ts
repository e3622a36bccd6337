import { expect } from "chai";
import type { Pipe } from "../../sandbox/core/resources/pipeRecords";
import { type CollectionName, collectionNames } from "../../sandbox/core/resources/registry";
import { seededCredentials } from "../../sandbox/index";
import { edits, furnish, lastOf } from "./consoleEdits";
import { createTileAlert, useSandbox, webhookId } from "./requests";

const { serviceId } = seededCredentials;

describe("The objects that the sandbox's console lists", () => {
  const client = useSandbox({ dialect: "clickhouse", stateMilliseconds: 0 });
  const { model, store } = client.sandbox;
  const kinds = () => model.kinds.list(Date.now());
  const rowsOf = (name: string) => kinds().find((kind) => kind.name === name)?.rows ?? [];
  const edit = (name: string, id: string, change: object) => {
    const from = rowsOf(name).find((row) => row.id === id) ?? {};
    return model.kinds.edit(name, id, { from, to: { ...from, ...change } }, Date.now());
  };
  const refusal = (act: () => { body: unknown }) => {
    try {
      return JSON.parse(String(act().body)).error;
    } catch (error) {
      return (error as Error).message;
    }
  };

  it("the console has a table for every kind of records that the sandbox keeps and an API serves", () => {
    const named = kinds().map(({ name }) => name);
    expect(named).to.include.members(collectionNames.filter((name) => name !== "accessTokens"));
    expect(named).to.have.members(Object.keys(edits));
    expect(named).to.not.include("accessTokens" satisfies CollectionName);
  });

  for (const [name, { made, change }] of Object.entries(edits))
    it(`the console saves an edit of ${name} into the account`, () => {
      furnish(store);
      const kind = kinds().find((candidate) => candidate.name === name);
      if (made) {
        const url = String(kind?.path).replace(":serviceId", serviceId);
        const headers = { "content-type": "application/json" };
        const method = kind?.creation?.method ?? "";
        const answer = model.change({ method, url, headers, body: JSON.stringify(made) }, Date.now());
        expect(answer).to.include({ status: 200, body: "{}" });
      }
      const { id = "" } = lastOf(rowsOf(name)) ?? {};
      expect(edit(name, id, change)).to.include({ status: 200, body: "{}" });
      expect(rowsOf(name).find((row) => row.id === id)).to.containSubset(change);
    });

  it("the console refuses an edit by the rules of the API, and keeps the object as it was", () => {
    const before = structuredClone(store.services.get(serviceId));
    const both = { name: "renamed", numReplicas: 1 };
    expect(refusal(() => edit("services", serviceId, both))).to.include("numReplicas must be >= 2");
    expect(store.services.get(serviceId)).to.deep.equal(before);
    expect(refusal(() => edit("backupConfiguration", serviceId, { hours: 5 }))).to.equal(
      "no request changes hours",
    );
    expect(refusal(() => edit("keys", "gone", { name: "x" }))).to.equal("this object no longer exists");
    const [key = ""] = store.keys.keys();
    expect(refusal(() => edit("keys", key, { id: "other" }))).to.equal("id cannot be changed");
  });

  it("the console keeps a secret that a form does not show, unless somebody enters another one", () => {
    const url = store.webhooks.get(webhookId)?.url;
    edit("webhooks", webhookId, { name: "renamed" });
    expect(store.webhooks.get(webhookId)).to.include({ name: "renamed", url });
    edit("webhooks", webhookId, { url: "https://other.example.com" });
    expect(store.webhooks.get(webhookId)?.url).to.equal("https://other.example.com");
    const pipe = [...store.pipes.values()].find(({ source }) => source.objectStorage) as Pipe;
    const { connectionString } = pipe.source.objectStorage ?? {};
    const { source } = rowsOf("pipes").find(({ id }) => id === pipe.id) as unknown as Pipe;
    const change = { ...source.objectStorage, delimiter: ";" };
    edit("pipes", pipe.id, { source: { objectStorage: change } });
    const { objectStorage } = store.pipes.get(pipe.id)?.source ?? {};
    expect(objectStorage).to.include({ connectionString, delimiter: ";" });
  });

  it("the console leaves members out of a request that only answers have", async () => {
    const entry = { name: "nights", weekdays: [1], startHourUtc: 1, endHourUtc: 5, numReplicas: 2 };
    await client.service("POST", "/scalingSchedule", { entries: [entry] });
    const [{ entries }] = rowsOf("scalingSchedules") as unknown as [{ entries: { id: string }[] }];
    expect(entries[0]).to.include.keys("id", "isActiveNow");
    const changed = { entries: entries.map((shown) => ({ ...shown, endHourUtc: 7 })) };
    expect(edit("scalingSchedules", serviceId, changed).body).to.equal("{}");
    const mistaken = { entries: entries.map((shown) => ({ ...shown, endHour: 8 })) };
    expect(refusal(() => edit("scalingSchedules", serviceId, mistaken))).to.include("endHour");
    expect([...store.scalingSchedules.values()][0]?.entries[0]).to.include({ endHourUtc: 7 });
  });

  it("the console resets what somebody deletes from the JSON of an object", () => {
    edit("clickhouseSettings", serviceId, { settings: [{ name: "async_insert", value: "1" }] });
    expect(edit("clickhouseSettings", serviceId, { settings: [] }).body).to.equal("{}");
    expect(store.services.get(serviceId)?.databaseSettings).to.deep.equal({});
    store.organization.provisioning = "fails";
    const { id } = store.organization;
    const [{ provisioning, ...rest } = {} as never] = rowsOf("organizations");
    model.kinds.edit("organizations", id, { from: { provisioning, ...rest }, to: rest }, Date.now());
    expect(store.organization).to.not.have.property("provisioning");
  });
});

describe("The objects of the dialect neutral on the sandbox's console", () => {
  const client = useSandbox();
  const { model, store } = client.sandbox;

  it("the console moves an alert to another tile by the JSON of its record", async () => {
    const { board, alert } = await createTileAlert(client);
    const rows = () => model.kinds.list(Date.now()).find(({ name }) => name === "alerts")?.rows ?? [];
    const [from = {} as never] = rows();
    const to = { ...from, tileId: board.tiles[1].id, threshold: 9 };
    expect(model.kinds.edit("alerts", alert.id, { from, to }, Date.now()).body).to.equal("{}");
    const { updatedAt, ...unchanged } = alert;
    const moved = { tileId: board.tiles[1].id, threshold: 9 };
    expect(store.alerts.get(alert.id)).to.deep.include({ ...unchanged, ...moved });
  });
});
