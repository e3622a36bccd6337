import { expect } from "chai";
import type { Webhook } from "../../../sandbox/index";
import { refusalOf } from "./operations";
import { type Data, type Setup, webhookId } from "./setups";
import type { ResourceTests, SuiteOf } from "./suite";

const [adoptedId, otherId] = ["65f1c0a2b3d4e5f607182941", "65f1c0a2b3d4e5f607182942"];
const missing = "65f1c0a2b3d4e5f6071829ff";

const secrets = {
  url: "https://hooks.example.com/secret-of-the-url-6d1f",
  newUrl: "https://hooks.example.com/secret-of-the-new-url-70be",
  header: "Bearer secret-of-a-header-93ab",
  parameter: "secret-of-a-parameter-5c7e",
};
const plain = { name: "plain", service: "generic", url: secrets.url };
const whole = {
  ...plain,
  name: "whole",
  description: "Pages whoever is on call",
  body: '{"text": "{{title}}"}',
  headers: { Authorization: secrets.header },
  queryParams: { team: secrets.parameter },
};
const { body, queryParams, ...wholeNow } = { ...whole, url: secrets.newUrl };
const moved = { ...plain, name: "moved" };

const webhook = (name: string, args: object) => `new Webhook("${name}", ${JSON.stringify(args)});\n`;

/** A body as the journal shows it. */
function journaled(sent: Data): Data {
  const hidden = ["url", "headers", "queryParams"].filter((name) => name in sent);
  return { ...sent, ...Object.fromEntries(hidden.map((name) => [name, "[redacted]"])) };
}

export function webhookTests(suiteOf: SuiteOf, setup: Setup): ResourceTests {
  const suite = suiteOf("Webhook");
  const { first, second } = setup.scopes;
  let replaced = "";

  const stored = (name: string) => suite.sandbox.store.webhooks.get(suite.id(name));
  const existing = (id: string, name: string): Webhook => {
    const dates = { createdAt: "2025-01-15T09:00:00.000Z", updatedAt: "2025-01-15T09:00:00.000Z" };
    const { serviceId } = suite.sandbox.credentials;
    return { id, serviceId, ...plain, name, headers: { Authorization: secrets.header }, ...dates };
  };
  const changedProgram = () =>
    webhook("plain", { ...plain, name: "plain 2" }) +
    webhook("whole", wholeNow) +
    webhook("moved", { ...moved, name: "moved 2", ...second.declared }) +
    webhook("adopted", { ...plain, name: "adopted" }) +
    `const other = Webhook.get("other", "${otherId}");
exports.Webhook = pulumi.all([other.id, other.name]);
`;

  return {
    type: "Webhook",
    looks: ["listWebhooks"],
    secrets: async () => Object.values(secrets),

    prepare() {
      const { store } = suite.sandbox;
      for (const [id, name] of [
        [adoptedId, "by hand"],
        [otherId, "other"],
      ] as const)
        store.webhooks.set(id, existing(id, name));
    },

    created: {
      program: () =>
        webhook("plain", plain) +
        webhook("whole", whole) +
        webhook("moved", { ...moved, ...first.declared }) +
        webhook("adopted", { ...plain, name: "adopted", adoptId: adoptedId }),
      tests() {
        it("sends what is declared and nothing else, once for each webhook", () => {
          suite.expectSent("createWebhook", ...[plain, whole, moved].map(journaled));
          expect([...new Set(suite.changes())]).to.have.members(["createWebhook", "updateWebhook"]);
          expect(stored("whole")).to.deep.include(whole);
        });

        it("is adopted with adoptId, and keeps the headers that it has", () => {
          suite.expectSent("updateWebhook", journaled({ ...plain, name: "adopted" }));
          expect(stored("adopted")).to.deep.include({ id: adoptedId, name: "adopted" });
          expect(stored("adopted")?.headers).to.deep.equal({ Authorization: secrets.header });
        });

        it("is in the state with what the service says of it", async () => {
          const { createdAt } = stored("whole") ?? {};
          expect(await suite.outputsOf("whole")).to.deep.include({ ...whole, ...suite.scope(), createdAt });
        });
      },
    },

    changed: {
      program() {
        replaced = suite.id("moved");
        return changedProgram();
      },
      tests() {
        it("updates in place whatever the API can change, and replaces what is on another service", () => {
          const expected = {
            plain: "update",
            whole: "update",
            moved: "replace",
            adopted: "same",
            other: "read",
          };
          expect(suite.done()).to.deep.equal(expected);
          expect(suite.replaceKeys("moved")).to.include("serviceId");
          expect(suite.sandbox.store.webhooks.has(replaced)).to.equal(false);
          expect(stored("moved")?.serviceId).to.equal(suite.sandbox.credentials[second.service]);
        });

        it("clears what is taken out of the program", () => {
          const { headers, ...sent } = wholeNow;
          suite.expectSent(
            "updateWebhook",
            journaled({ ...plain, name: "plain 2" }),
            journaled({ ...sent, headers, queryParams: {} }),
          );
          expect(stored("whole")).to.deep.include({ url: secrets.newUrl, headers });
          expect(stored("whole")?.body).to.equal(undefined);
          expect(stored("whole")?.queryParams).to.equal(undefined);
        });

        it("is read with get, and left as it is", async () => {
          expect(await suite.exported()).to.deep.equal([otherId, "other"]);
          expect(suite.sandbox.store.webhooks.get(otherId)).to.deep.equal(existing(otherId, "other"));
        });
      },
    },

    changedAgain: {
      program() {
        // Somebody else leads the webhook elsewhere.
        Object.assign(stored("plain") ?? {}, { url: secrets.newUrl });
        return changedProgram();
      },
      tests() {
        it("leads back where the program says, and otherwise stays as it is", () => {
          const { plain: restored, whole, moved, adopted } = suite.done();
          expect([restored, whole, moved, adopted]).to.deep.equal(["update", "same", "same", "same"]);
          expect(stored("plain")?.url).to.equal(secrets.url);
        });
      },
    },

    beforeDestroy: () => void suite.sandbox.store.webhooks.delete(suite.id("whole")),

    destroyed() {
      it("is gone from the service, which keeps those that were not declared", () => {
        const left = [...suite.sandbox.store.webhooks.keys()];
        expect(left).to.include.members([webhookId, otherId]);
        expect(
          left.filter((id) => ![webhookId, otherId, "65f1c0a2b3d4e5f607182922"].includes(id)),
        ).to.deep.equal([]);
      });

      it("takes a webhook that somebody else has deleted for deleted", () => {
        expect(suite.asked()).to.include("deleteWebhook 404");
      });
    },

    refused: "createWebhook",
    failing: [
      {
        when: "the API refuses it",
        name: "refused",
        declaration: webhook("refused", { ...plain, name: "on-call" }),
        message: [refusalOf(setup, "createWebhook"), "already exists"],
      },
      {
        when: "get finds nothing",
        name: "missing",
        declaration: `Webhook.get("missing", "${missing}");`,
        message: [`error: Webhook ${missing} does not exist`],
      },
    ],
  };
}
