import { expect } from "chai";
import { resources } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { createSandbox } from "../../../sandbox/index";
import { expectNoLeaks } from "../../secrets";
import { sessionOf } from "../drift/fixture";
import { setups, useLife } from "./life";
import { failuresOf, itKeeps, type Rule, warningsOf } from "./rules";
import { absent, validInputs } from "./validInputs";
import { webhookSecrets } from "./webhook.example";

const address = "url must be an address with http or https";
const name = "name must be a text that neither begins nor ends with a blank";
const plainText = "must be at most 4096 characters without control characters";
const kind = "service must be one of slack, incidentio, generic";
const tooMany = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`p${index}`, ""]));
const ofSlack = { service: "slack", url: "https://hooks.slack.com/services/T0/B0/x" };
const bare = { headers: absent, queryParams: absent, body: absent };
const elsewhere = 'url must be an address of slack.com when service is "slack"';
const madeByTheService = { service: "pagerduty_api" };

const rules: readonly Rule[] = [
  ...[" on-call", "on-call\n"].map((text): Rule => [{ name: text }, name]),
  ...["hooks.example.com", "ftp://hooks.example.com", "https://", "https://hooks.example.com:port"].map(
    (url): Rule => [{ url }, address],
  ),
  [{ headers: { "X Team": "a" } }, 'headers["X Team"] is not a valid name, or has more than 256 characters'],
  [{ headers: { "X-Team": "a\r\nb" } }, `headers.X-Team ${plainText}`],
  [{ queryParams: { team: "a".repeat(4097) } }, `queryParams.team ${plainText}`],
  [{ queryParams: tooMany }, "queryParams must have at most 100 entries"],
  [{ ...ofSlack, ...bare }, []],
  [{ ...ofSlack, ...bare, url: "https://slack.com.example.com/x" }, elsewhere],
  [
    ofSlack,
    ["body", "headers", "queryParams"].map((member) => `${member} does not apply when service is "slack"`),
  ],
  [madeByTheService, []],
  [{ adoptId: absent, ...madeByTheService }, kind],
];

describe("The check of a webhook", () => {
  const { adoptId, ...created } = validInputs.Webhook;
  const before = { ...created, ...madeByTheService };
  itKeeps({ type: "Webhook" }, rules);
  itKeeps({ type: "Webhook", valid: created, before: created }, [[madeByTheService, kind]]);
  itKeeps({ type: "Webhook", valid: before, before }, [[{ name: "Renamed" }, []]]);

  it("a refusal of a webhook does not show its URL", () => {
    const url = "https://hooks.example.com:port/secret-of-a-url";
    const failures = failuresOf("Webhook", { ...validInputs.Webhook, url }).join();
    expectNoLeaks({ url: "secret-of-a-url" }, { failures });
  });
});

/** Bodies of webhooks, and the end of each expected warning: the unknown variable, and the name that was probably meant. */
const bodies: readonly (readonly [body: string, warnings: readonly string[]])[] = [
  ['{"text": "{{title}} {{ body }} {{{link}}} {{~state~}}", "at": [{"of": {{startTime}}}]}', []],
  ["{{startTimeISO}} {{threshold}} {{note}} {{var.ServiceName}} {{var.[k8s.pod.name]}} {{tags}}", []],
  ['{{#if (eq state "ALERT")}}fire{{else if status}}ok{{else}}-{{/if}}{{#unless value}}none{{/unless}}', []],
  ["{{#each tags}}{{this}} {{@index}} {{name}}{{/each}}{{#tags}}{{.}}{{/tags}}", []],
  [
    '{{lookup var "ServiceName"}} {{! titel }} {{!-- {{titel}} --}} \\{{titel}} {{> partial}} {"a": {"b": {}}}',
    [],
  ],
  ["{{titel}} {{titel}}", ['"{{titel}}", which is no variable of alerts: did you mean {{title}}?']],
  [
    "{{severity}}",
    ['"{{severity}}", which is no variable of alerts: the service sends nothing in its place'],
  ],
  ["{{#if stat}}{{/if}}", ['"{{stat}}", which is no variable of alerts: did you mean {{state}}?']],
  ["{{#each tag}}{{this}}{{/each}}", ['"{{tag}}", which is no variable of alerts: did you mean {{tags}}?']],
  ["{{#each tags}}{{/each}}{{lnk}}", ['"{{lnk}}", which is no variable of alerts: did you mean {{link}}?']],
];

describe("The check of a webhook's body", () => {
  for (const [body, names] of bodies)
    it(`the check of a webhook warns of ${names.join() || "nothing"} in the body ${body}`, () => {
      const { adoptId: _, ...valid } = validInputs.Webhook;
      expect(warningsOf("Webhook", { ...valid, body })).to.deep.equal(
        names.map((name) => `Webhook "paging": body names ${name}`),
      );
    });
});

describe("Webhooks in the dialect clickhouse", () => {
  const life = useLife(setups["the product's management API alone"]);
  const generic = { name: "paging", service: "generic", url: webhookSecrets.url };

  it("an update from a generic webhook to one for Slack sends no body, headers or parameters", async () => {
    const declared = await life.applied("Webhook", {
      ...generic,
      headers: { a: "b" },
      queryParams: { c: "d" },
    });
    Object.assign(life.sandbox.store.webhooks.get(declared.id) ?? {}, { body: "{}" });
    await life.changed(declared, { name: "paging", ...ofSlack });
    expect(life.bodiesOf("PUT")).to.deep.equal([{ name: "paging", service: "slack", url: "[redacted]" }]);
  });
});

describe("A webhook of an older server", () => {
  it("the check names the server versions that have the unknown variables of a webhook body", async () => {
    const sandbox = await createSandbox({ dialect: "clickhouse", apis: "observability", version: "2.36" });
    try {
      const body = "{{title}} {{alertId}} {{var.host}} {{#each tags}}{{this}}{{/each}}";
      const webhook = { name: "paging", service: "generic", url: webhookSecrets.url, body };
      const checked = async (olds: PropertyMap = {}) => {
        const { session } = sessionOf(sandbox, { dialect: "clickhouse" });
        return resources.Webhook.check(olds, webhook, session);
      };
      const { inputs, warnings } = await checked();
      const needs = (name: string, version: string) =>
        `Webhook "paging": body names "{{${name}}}", which needs ClickStack ${version} or newer; the server at ${sandbox.obsBaseUrl} has 2.36.0, and sends nothing in its place`;
      expect(warnings).to.deep.equal([needs("alertId", "2.38"), needs("var", "2.42"), needs("tags", "2.43")]);
      expect((await checked(inputs)).warnings).to.deep.equal([]);
    } finally {
      await sandbox.close();
    }
  });
});
