import { expect } from "chai";
import { check } from "../../../provider/lifecycle/check";
import { resources } from "../../../provider/resources/registry";
import type { Data } from "../../../provider/values/data";
import { expectNoLeaks } from "../../secrets";
import { place, refused, useServer } from "../api/server";
import type { Declared } from "../drift/fixture";
import { sessionFor } from "../lifecycle/note";
import { setups, useLife } from "./life";
import { failuresOf, itKeeps, type Rule, required, scopeRules, text } from "./rules";
import { absent, validInputs } from "./validInputs";
import { webhookSecrets } from "./webhook.example";

const address = "must be an address with http or https";
const plainText = "must be at most 4096 characters without control characters";

const rules: readonly Rule[] = [
  ...scopeRules,
  ["name", absent, required],
  ["name", "", "must be a text that neither begins nor ends with a blank"],
  ["name", " on-call", "must be a text that neither begins nor ends with a blank"],
  ["name", "on-call\n", "must be a text that neither begins nor ends with a blank"],
  ["service", absent, required],
  ["service", "pagerduty", "must be one of slack, incidentio, generic"],
  ["url", absent, required],
  ["url", "hooks.example.com", address],
  ["url", "ftp://hooks.example.com", address],
  ["url", "https://", address],
  ["url", "https://hooks.example.com:port", address],
  ["description", "", text],
  ["body", "", text],
  ["headers", "Authorization: x", "must be an object"],
  ["headers", { "X Team": "a" }, "is not a valid name, or has more than 256 characters", 'headers["X Team"]'],
  ["headers", { "X-Team": "a\r\nb" }, plainText, "headers.X-Team"],
  ["queryParams", { team: "a".repeat(4097) }, plainText, "queryParams.team"],
  [
    "queryParams",
    Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`p${index}`, ""])),
    "must be at most 100 texts",
  ],
];

describe("Webhook", () => {
  itKeeps("Webhook", rules);

  it("may be of a kind that only the service makes, where it exists", () => {
    const { adoptId, ...made }: Data = { ...validInputs.Webhook, service: "pagerduty_api" };
    const refusal = ["service must be one of slack, incidentio, generic"];
    const failures = (olds: Data, news: Data) =>
      check(resources.Webhook, olds, news, sessionFor().session).failures.map(
        ({ path, message }) => `${path} ${message}`,
      );
    expect(failures({}, made)).to.deep.equal(refusal);
    expect(failures({ ...made, service: "generic" }, made)).to.deep.equal(refusal);
    expect(failures(made, { ...made, name: "Renamed" })).to.deep.equal([]);
    expect(failures({}, { ...made, adoptId })).to.deep.equal([]);
  });

  it("of Slack leads to slack.com, and has nothing that Slack ignores", () => {
    const { url, headers, queryParams, body, ...slack } = {
      ...validInputs.Webhook,
      service: "slack",
    } as Data;
    expect(
      failuresOf("Webhook", { ...slack, url: "https://hooks.slack.com/services/T0/B0/x" }),
    ).to.deep.equal([]);
    for (const elsewhere of ["https://slack.com.example.com/x", "https://notslack.com/x"])
      expect(failuresOf("Webhook", { ...slack, url: elsewhere })).to.deep.equal([
        'url must be an address of slack.com when service is "slack"',
      ]);
    const failures = failuresOf("Webhook", {
      ...slack,
      url: "https://slack.com/x",
      headers,
      queryParams,
      body,
    });
    expect(failures).to.have.members(
      ["headers", "queryParams", "body"].map((name) => `${name} does not apply when service is "slack"`),
    );
  });

  it("has at most the characters that the product takes", () => {
    const long = { ...validInputs.Webhook, description: "a".repeat(2049), body: "a".repeat(16_385) };
    expect(failuresOf("Webhook", long)).to.deep.equal([]);
    expect(failuresOf("Webhook", long, { dialect: "clickhouse" })).to.deep.equal([
      "description must be a string of at most 2048 characters",
      "body must be a string of at most 16384 characters",
    ]);
  });

  it("says what is wrong with an address without repeating it", () => {
    const url = "https://hooks.example.com:port/secret-of-a-url";
    const failures = failuresOf("Webhook", { ...validInputs.Webhook, url }).join();
    expectNoLeaks({ url: "secret-of-a-url" }, { failures });
  });
});

const { adoptId, organizationId, serviceId, ...whole } = validInputs.Webhook as Data;

/** A body as the journal of the sandbox shows it. */
const journaled = (body: Data): Data => ({
  ...body,
  ...Object.fromEntries(
    Object.keys(body)
      .filter((name) => ["url", "headers", "queryParams"].includes(name))
      .map((name) => [name, "[redacted]"]),
  ),
});

for (const [title, setup] of Object.entries(setups)) {
  describe(`A webhook, with ${title}`, () => {
    const life = useLife(setup);
    const session = () => life.opened().session;
    const applied = (program: Data) => life.applied("Webhook", program);
    const stored = ({ id }: Declared) => life.sandbox.store.webhooks.get(id);

    it("that becomes one of Slack leaves behind a body that somebody gave it", async () => {
      const { name, service, url } = whole;
      const declared = await applied({ name, service, url });
      Object.assign(stored(declared) ?? {}, { body: "{}" });
      const slack = { name, service: "slack", url: "https://hooks.slack.com/services/T0/B0/x" };
      await life.changed(declared, slack);
      expect(life.sent("PUT")).to.deep.equal([journaled(slack)]);
    });

    it("is not deleted while an alert has it as its first channel, and the error says so", async () => {
      const declared = await applied(whole);
      const channel = { type: "webhook", webhookId: declared.id };
      const alert = await life.applied("Alert", {
        source: "search",
        ...(setup.dialect === "clickhouse" ? { savedSearch: "65f1c0a2b3d4e5f607182931" } : {}),
        ...{ threshold: 1, thresholdType: "below", interval: "1h", channel },
      });
      const error = await declared.delete(session()).catch((reason: Error) => reason);
      expect(String(error)).to.include("1 alert(s) still reference it");
      expect(stored(declared)).to.not.equal(undefined);
      await alert.delete(session());
      await declared.delete(session());
      expect(stored(declared)).to.equal(undefined);
    });
  });
}

describe("The type Webhook", () => {
  const server = useServer();

  it("says no secret of a webhook that a server repeats", async () => {
    const { url, headers } = whole as { url: string; headers: { Authorization: string } };
    const { session } = sessionFor({}, server.current.url);
    for (const name of ["createWebhook", "updateWebhook"] as const) {
      server.current.answer(
        refused(400, `cannot reach ${url}?a=${encodeURIComponent(headers.Authorization)}`),
      );
      const error = await session.call(name, { ...place, id: "x" }, whole).catch(String);
      expect(error).to.include("cannot reach [hidden]?a=[hidden]");
      expectNoLeaks(webhookSecrets, { "the error": String(error) });
    }
  });

  it("says no secret of a webhook whose name looks like that of an id", async () => {
    const { session } = sessionFor({}, server.current.url);
    server.current.answer(refused(400, "Invalid client"));
    const headers = { clientId: "secret-of-the-client" };
    const error = await session.call("createWebhook", place, { ...whole, headers }).catch(String);
    expect(error).to.include("Invalid client").and.not.include(headers.clientId);
  });

  it("is read from the list, since no server shows one by itself", () => {
    expect(resources.Webhook.operations).to.not.have.property("get");
  });
});
