import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { expect } from "chai";
import { secret } from "../../../../provider/engine/engineValues";
import { settingsOf } from "../../../serviceContents";
import { failureOfCall, plain, struct, urnOf, usePlugin } from "./engine";

describe("The plugin's provider and functions", () => {
  const tested = usePlugin();

  for (const [name, member, hidden, args] of [
    ["getPipes", "pipes", "connectionString", {}],
    ["getWebhooks", "webhooks", "https://hooks.example.com", {}],
    ["getWebhook", "url", "https://hooks.example.com", { name: "on-call" }],
  ] as const)
    it(`the plugin marks exactly the secrets in the result of the function ${name} as secret`, async () => {
      const shown = await tested.plugin.invoke(name, args);
      expect(JSON.stringify(shown)).to.include('"id"').and.not.include(hidden);
      const answer = await tested.plugin.invoke(name, { ...args, includeSecrets: true });
      const marked = answer[member] as { value: unknown };
      expect(marked).to.deep.equal(secret(marked.value));
      expect(JSON.stringify(marked.value)).to.include(hidden);
    });

  it("the plugin finds no function or type with the name of a built-in object member", async () => {
    const message = "there is no function pipestack:index:constructor; the plugin and the SDK must";
    expect((await failureOfCall(tested.plugin.invoke("constructor", {}))).details).to.include(message);
    const listed = await failureOfCall(tested.plugin.list("constructor"));
    expect(listed.details).to.include("the provider has no resource type pipestack:index:constructor");
  });

  it("the plugin reports all invalid settings at once, and shows no credential", async () => {
    const settings = { baseUrl: "ftp://x", keySecret: "with a space", maxRetries: "many", baseURL: "x" };
    const response = await tested.plugin.call<messages.CheckResponse>(
      "checkConfig",
      new messages.CheckRequest().setNews(struct(settings)),
    );
    const failures = response.getFailuresList();
    // The engine prints the value of the property that a failure names, so no failure may name a credential.
    const named = failures.map((failure) => failure.getProperty());
    expect(named).to.have.members(["", "", "baseUrl", "maxRetries"]);
    const reasons = failures.map((failure) => failure.getReason()).join();
    for (const name of Object.keys(settings)) expect(reasons).to.include(name);
    expect(reasons).to.not.include("with a space");
    expect(plain(response.getInputs()).keySecret).to.deep.equal(secret("with a space"));
  });

  for (const [name, wins] of [
    ["default", "the environment"],
    ["default_1_2_3", "the environment"],
    ["default_1_2_3_beta_1_github_/api.github.com/pipestack/pipestack", "the environment"],
    ["default_github_/api.github.com/pipestack/pipestack", "the environment"],
    ["default_eu", "the arguments"],
    ["defaults", "the arguments"],
    ["eu", "the arguments"],
  ] as const)
    it(`the settings of a provider with the name ${name} come first from ${wins}`, async () => {
      const { sandbox, plugin } = tested;
      const { serviceId, secondServiceId } = sandbox.credentials;
      const { PIPESTACK_SERVICE_ID: before } = process.env;
      process.env.PIPESTACK_SERVICE_ID = secondServiceId;
      try {
        await plugin.configure({ ...settingsOf(sandbox), serviceId }, name);
        await plugin.invoke("getPipes", {});
      } finally {
        if (before === undefined) delete process.env.PIPESTACK_SERVICE_ID;
        else process.env.PIPESTACK_SERVICE_ID = before;
      }
      const asked = wins === "the environment" ? secondServiceId : serviceId;
      expect(sandbox.requests.at(-1)?.path).to.include(`/services/${asked}/`);
    });

  it("the plugin refuses an explicit provider that has the name of the engine's own provider", async () => {
    const reasonsOf = async (name: string, settings: object) => {
      const urn = `urn:pulumi:dev::tests::pulumi:providers:pipestack::${name}`;
      const request = new messages.CheckRequest().setUrn(urn).setNews(struct(settings));
      const response = await tested.plugin.call<messages.CheckResponse>("checkConfig", request);
      return response.getFailuresList().map((failure) => failure.getReason());
    };
    const { PULUMI_CONFIG: before } = process.env;
    const configured = { baseUrl: "https://a.example.com", keySecret: "hush" };
    const other = { baseUrl: "https://b.example.com" };
    process.env.PULUMI_CONFIG = JSON.stringify(configured);
    try {
      const [reason, ...more] = await reasonsOf("default", other);
      expect(reason).to.match(/^the engine's own provider has the name default, .*; give it another name$/);
      expect(more).to.deep.equal([]);
      expect(await reasonsOf("default", { ...configured, keySecret: secret("hush") })).to.deep.equal([]);
      expect(await reasonsOf("eu", other)).to.deep.equal([]);
      delete process.env.PULUMI_CONFIG;
      expect(await reasonsOf("default", other)).to.deep.equal([]);
    } finally {
      if (before === undefined) delete process.env.PULUMI_CONFIG;
      else process.env.PULUMI_CONFIG = before;
    }
  });

  it("a changed URL or organization in the plugin's settings replaces no object", async () => {
    const request = new messages.DiffRequest()
      .setOlds(struct({ baseUrl: "https://a", organizationId: "x" }))
      .setNews(struct({ baseUrl: "https://b", organizationId: "y" }));
    const response = await tested.plugin.call<messages.DiffResponse>("diffConfig", request);
    expect(response.getReplacesList()).to.deep.equal([]);
    expect(response.getDiffsList()).to.have.members(["baseUrl", "organizationId"]);
  });

  it("the plugin refuses an unknown type, and names the types that exist", async () => {
    const { details } = await failureOfCall(tested.plugin.resource("Dashbord").check({}));
    expect(details).to.include("pipestack:index:Dashboard");
  });
});

const { PROPOSE, ENFORCE, DISABLE } = messages.CheckRequest.AutonamingOptions.Mode;
const key = { roles: ["developer"] };

describe("Automatic names of objects in the plugin", () => {
  const tested = usePlugin();

  async function checked(
    type: string,
    { mode, news, olds = {} }: { mode: 0 | 1 | 2; news: object; olds?: object },
  ): Promise<unknown[]> {
    const autonaming = new messages.CheckRequest.AutonamingOptions().setProposedName("it-4f2a").setMode(mode);
    const request = new messages.CheckRequest().setUrn(urnOf(type)).setAutonaming(autonaming);
    const response = await tested.plugin.call<messages.CheckResponse>(
      "check",
      request.setNews(struct(news)).setOlds(struct(olds)),
    );
    const refused = response.getFailuresList().map((failure) => failure.getReason());
    return [plain(response.getInputs()).name, ...refused];
  }

  for (const mode of [PROPOSE, ENFORCE] as const) {
    it(`the plugin names a new object by the engine's naming mode ${mode}, and keeps the name of an existing object`, async () => {
      expect(await checked("ApiKey", { mode, news: key })).to.deep.equal(["it-4f2a"]);
      expect(await checked("ApiKey", { mode, news: key, olds: { ...key, name: "it-0b17" } })).to.deep.equal([
        "it-0b17",
      ]);
    });

    it(`the plugin keeps the name that a program declares, whatever the engine's naming mode, here ${mode}`, async () => {
      const olds = { ...key, name: "it-0b17" };
      expect(await checked("ApiKey", { mode, news: { ...key, name: "mine" }, olds })).to.deep.equal(["mine"]);
    });
  }

  it("the plugin keeps a name that an earlier version has stored in the state as a secret", async () => {
    const olds = { ...key, name: secret("hidden") };
    expect(await checked("ApiKey", { mode: PROPOSE, news: key, olds })).to.deep.equal(["hidden"]);
  });

  it("the plugin refuses an object without a name if the engine's configuration disables automatic names", async () => {
    const refused = "is required, since pulumi:autonaming disables automatic names";
    for (const olds of [{}, { ...key, name: "it" }])
      expect(await checked("ApiKey", { mode: DISABLE, news: key, olds })).to.deep.equal(["it", refused]);
    expect(await checked("ApiKey", { mode: DISABLE, news: { ...key, name: "mine" } })).to.deep.equal([
      "mine",
    ]);
  });

  it("the plugin gives no automatic name to an object whose name is a title, such as a dashboard", async () => {
    const [name, refused] = await checked("Dashboard", { mode: PROPOSE, news: { tiles: [] } });
    expect([name, refused]).to.deep.equal([undefined, "is required"]);
  });
});

describe("Python dictionaries in the plugin, whose property names the SDK does not always translate", () => {
  const tested = usePlugin();
  const place = { name: "Errors", x: 0, y: 0, w: 6, h: 4 };

  it("the plugin translates the Python names of properties at every depth", async () => {
    const onClick = { type: "search", target: { mode: "id", id: "1" }, whereTemplate: "a:b" };
    const config = {
      displayType: "table",
      sourceId: "1",
      select: [{ aggFn: "count", numberFormat: { output: "number", thousandSeparated: true } }],
      onClick,
    };
    const written = {
      display_type: "table",
      source_id: "1",
      select: [{ agg_fn: "count", number_format: { output: "number", thousand_separated: true } }],
      on_click: { type: "search", target: { mode: "id", id: "1" }, where_template: "a:b" },
    };
    const inputs = await tested.checked("Dashboard", {
      name: "Board",
      tiles: [{ ...place, config: written }],
    });
    expect(inputs).to.deep.include({ tiles: [{ ...place, config }] });
  });

  it("the plugin keeps values secret that a program marks as secret under Python names", async () => {
    const config = { display_type: "markdown", markdown: secret("text") };
    const inputs = await tested.checked("Dashboard", { name: "Board", tiles: [{ ...place, config }] });
    expect(inputs).to.deep.include({
      tiles: [{ ...place, config: { displayType: "markdown", markdown: secret("text") } }],
    });
  });

  it("the plugin does not translate names that a program chooses, nor names of unknown properties", async () => {
    const headers = { some_header: "a" };
    const webhook = { name: "w", service: "generic", url: "https://hooks.example.com", headers };
    expect(await tested.checked("Webhook", webhook)).to.deep.include({ headers: secret(headers) });
    const config = { display_type: "flame", flame_depth: 3 };
    const inputs = await tested.checked("Dashboard", { name: "Board", tiles: [{ ...place, config }] });
    expect(inputs).to.deep.include({
      tiles: [{ ...place, config: { displayType: "flame", flame_depth: 3 } }],
    });
  });
});
