import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { signature } from "../../provider/engine/engineValues";
import { builtPipestack } from "../pipestackCommand";
import {
  expectNoLeaks,
  issuedKeysIn,
  type Named,
  secretsOf,
  tellingSecret,
  useTellingSecrets,
} from "../secrets";
import { settingsOf } from "../serviceContents";
import { useFixture } from "./fixture";
import { type Host, hostUnlessTold } from "./pluginHost";

const hashes = {
  keyIdHash: "5d41402abc4b2a76b9719d911017c592ae2f3c4d5e6f708192a3b4c5d6e7f809",
  keySecretHash: "7d793037a0760186574b0282f2f435e7a3b4c5d6e7f8091a2b3c4d5e6f708192",
};

const webhook = {
  url: `https://hooks.example.com/${tellingSecret("address")}`,
  header: tellingSecret("header"),
  parameter: tellingSecret("parameter"),
};

/** Texts that the program marks as secret in properties that are usually not secret. */
const marked = { message: tellingSecret("message"), where: tellingSecret("where") };

/** Makes a program with every resource and function that handles secrets. A stack transformation adds one of the secrets. */
const program = (declaration: string, options: string) => `
  ${declaration}
  pulumi.runtime.registerStackTransformation(({ props, opts, name }) =>
    name === "hashed" ? { props: { ...props, hashData: pulumi.secret(${JSON.stringify({ ...hashes, keyIdSuffix: "wxyz" })}) }, opts } : undefined,
  );
  const options = { ${options} };
  const key = new ApiKey("key", { name: "reporting", roles: ["developer"] }, options);
  new ApiKey("hashed", { name: "hashed", roles: ["developer"] }, options);
  const scaling = new ServiceScaling("scaling", { numReplicas: 4 }, options);
  const found = ServiceScaling.get("found", "e95f3a17-0b6c-4d29-a8e4-91c7d5b2f06a", {}, options);
  new QueryEndpoint("endpoint", { roles: ["sql_console_admin"], openApiKeys: [key.id] }, options);
  const webhook = new Webhook("webhook", {
    service: "generic", url: ${JSON.stringify(webhook.url)},
    headers: { Authorization: ${JSON.stringify(webhook.header)} }, queryParams: { team: ${JSON.stringify(webhook.parameter)} },
  }, options);
  new SavedSearch("search", { sourceId: pipestack.getSourceOutput({ name: "Logs" }, options).id }, options);
  const dashboard = new Dashboard("dashboard", {
    name: "Ingestion",
    tiles: [{ name: "Errors", x: 0, y: 0, w: 2, h: 2, series: [{ type: "number" }] }],
  }, options);
  new Dashboard("secret", {
    name: "Secret",
    tiles: [{ name: "Payroll", x: 0, y: 0, w: 2, h: 2, series: [{ type: "number", where: pulumi.secret(${JSON.stringify(marked.where)}) }] }],
  }, options);
  new Alert("alert", {
    source: "tile", dashboardId: dashboard.id, tileId: dashboard.tileIds["Errors"], threshold: 5,
    thresholdType: "above", interval: "5m",
    message: pulumi.output(pulumi.secret(${JSON.stringify(marked.message)})).apply(String),
    channel: { type: "webhook", webhookId: webhook.id },
  }, options);
  exports.keySecret = key.keySecret;
  exports.encryptionKeys = [scaling.encryptionKey, found.encryptionKey];
  exports.pipes = pipestack.getPipesOutput({ includeSecrets: true }, options);
  exports.webhooks = pipestack.getWebhooksOutput({ includeSecrets: true }, options);
  exports.pipe = pipestack.getPipeOutput({ pipeId: "5e0c8a36-72f9-4d1b-8b45-d9f2c7e16a80", includeSecrets: true }, options);
`;

/**
 * Matches the log lines in which the engine (-v=9) and its SDK (-v=3, --debug) print all properties decrypted, whatever a
 * provider does.
 */
const linesOfTheEngine =
  /\{"time":"[^"]*","level":"INFO","msg":"(Marshaling property for RPC\[|Unmarshaling property for RPC\[|(eventSink::Debug\(<\{%reset%\}>)?(RegisterResource|ReadResource|Invoke) RPC finished: ).*"v":\d\}$/gm;

const verbose = { args: ["--logtostderr", "-v=9"], environment: { PIPESTACK_DEBUG: "1" } };

const ways: { [way: string]: { host: Host; declaration?: string; options?: string; key?: string } } = {
  "in the environment": { host: "dynamic" },
  "as secrets in the stack's configuration": { host: "plugin", key: "pipestack" },
  "as arguments of an explicit Provider": {
    host: "dynamic",
    key: "own",
    declaration: `const own = new pulumi.Config("own");
      const provider = new Provider("p", { keySecret: own.requireSecret("keySecret"), accessToken: own.requireSecret("accessToken") });`,
    options: "provider",
  },
};

for (const [way, { host, declaration = "", options = "", key }] of Object.entries(ways)) {
  describe(`Secrets of a stack that gets the provider's credentials ${way}`, () => {
    const fixture = useFixture({ host: hostUnlessTold(host) });
    const all: { [place: string]: string } = {};
    let secrets: Named;
    /** By resource name, the provider's own notes about each resource: its output `__tracking` in the exported Pulumi state. */
    let records: { readonly [name: string]: unknown };

    before(async () => {
      useTellingSecrets(fixture.sandbox);
      const { keySecret = "", accessToken = "" } = settingsOf(fixture.sandbox);
      const isGiven = key === undefined;
      fixture.environment.PIPESTACK_KEY_SECRET = isGiven ? keySecret : undefined;
      fixture.environment.PIPESTACK_ACCESS_TOKEN = isGiven ? accessToken : undefined;
      if (key !== undefined) await fixture.config(`${key}:keySecret`, keySecret, true);
      if (key !== undefined) await fixture.config(`${key}:accessToken`, accessToken, true);
      secrets = { ...secretsOf(fixture.sandbox), ...hashes, ...webhook };

      await fixture.write(program(declaration, options));
      all["the log of up"] = (await fixture.up(verbose)).output;
      all["the state file"] = await fixture.stateFile();
      const state = await fixture.exportState();
      all["the exported state"] = JSON.stringify(state);
      records = Object.fromEntries(
        (state.deployment.resources ?? []).flatMap(({ urn, outputs = {} }) =>
          "__tracking" in outputs ? [[urn.split("::").at(-1), outputs.__tracking]] : [],
        ),
      );
      all["the outputs"] = JSON.stringify(await fixture.outputs());
      const [alert] = fixture.sandbox.store.alerts.values();
      if (alert) alert.threshold = 6;
      for (const args of isGiven ? [[], ["--json"]] : [["--json"]]) {
        const environment = { ...fixture.environment, PIPESTACK_DEBUG: "1" };
        const { code, stdout, stderr } = await builtPipestack(
          ["drift", ...args],
          fixture.folder,
          environment,
        );
        expect(code, stderr).to.equal(7);
        all[`the drift report ${args}`] = stdout + stderr;
      }
      all["the log of refresh"] = (await fixture.refresh(verbose)).output;
      const wrong = { PIPESTACK_DEBUG: "1", PIPESTACK_KEY_ID: "nobody" };
      const failed = await fixture.refresh({ args: verbose.args, environment: wrong, expect: "failure" });
      expect(failed.output)
        .to.include("answered 401")
        .and.match(/ at (async )?Client\.call \(/);
      all["the log of a refresh that fails"] = failed.output;
      all["the log of destroy"] = (await fixture.destroy(verbose)).output;
      all["the journal"] = JSON.stringify(fixture.sandbox.requests);
    });

    it("no state, output, report, error, stack trace, journal or provider log shows a secret", () => {
      const ownPlaces = Object.fromEntries(
        Object.entries(all).map(([place, text]) => [place, text.replace(linesOfTheEngine, "")]),
      );
      for (const log of ["up", "refresh", "destroy"])
        expect(ownPlaces[`the log of ${log}`], log)
          .to.include('"v":9}')
          .and.match(/pipestack:(index:)?ServiceScaling/);
      expectNoLeaks(secrets, ownPlaces);
      const { "the journal": _, ...places } = ownPlaces;
      expectNoLeaks(marked, places);
      expect(issuedKeysIn(fixture.sandbox, ownPlaces)).to.deep.equal([]);
    });

    it("the state encrypts the output __tracking only of resources that declare a secret", () => {
      const [encrypted, plain] = [true, false].map((is) =>
        Object.keys(records).filter((name) => signature in (records[name] as object) === is),
      );
      expect(encrypted).to.include("secret");
      expect(plain).to.include("dashboard").and.not.include.oneOf(["hashed", "webhook", "alert"]);
    });

    if (key === undefined) {
      it("the engine's verbose log shows no credential from the environment", () => {
        const { keySecret = "", accessToken = "" } = secrets;
        expectNoLeaks({ keySecret, accessToken }, all);
      });

      it("pipestack import prints and writes no secret", async () => {
        const environment = { ...fixture.environment, PIPESTACK_DEBUG: "1" };
        const args = ["import", "--out", "imported"];
        const { code, stdout, stderr } = await builtPipestack(args, fixture.folder, environment);
        expect(code, stderr).to.equal(0);
        const files = ["index.ts", "import.json"].map((name) => join(fixture.folder, "imported", name));
        const [written = "", importFile = ""] = await Promise.all(
          files.map((file) => readFile(file, "utf8")),
        );
        expect(importFile).to.include("encryptionKey");
        expectNoLeaks(secrets, { printed: stdout + stderr, written, importFile });
      });
    }
  });
}

describe("A text that a program keeps secret, in the dynamic host", () => {
  const fixture = useFixture({ host: hostUnlessTold("dynamic") });
  const program = (where: string) => `
    new Dashboard("dashboard", {
      name: "Ingestion", tiles: [{ name: "Errors", x: 0, y: 0, w: 2, h: 2, series: [{ type: "number", where: ${where} }] }],
    });
  `;
  const unchanged = { args: ["--expect-no-changes"] };

  it("the state file does not contain a secret text of the program", async () => {
    await fixture.write(program('pulumi.secret("user:payroll")'));
    await fixture.up();
    expect((await fixture.outputsOf("dashboard")).tileIds).to.have.property("Errors");
    expect(await fixture.stateFile()).to.not.include("payroll");
  });

  it("a program with a secret text shows neither a change nor drift after its update", async () => {
    await fixture.preview(unchanged);
    await fixture.refresh(unchanged);
    await fixture.preview(unchanged);
  });
});
