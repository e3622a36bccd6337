import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { expect } from "chai";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { secret } from "../../../../provider/hosts/engineValues";
import { settingsOf } from "../../../serviceContents";
import { type PluginUnderTest, struct, usePlugin } from "./engine";

describe("The plugin as a provider", () => {
  const tested = usePlugin();
  let plugin: PluginUnderTest;

  beforeEach(() => {
    ({ plugin } = tested);
  });

  it("calls functions, whose lists are members of their answers", async () => {
    const response = await plugin.call<messages.InvokeResponse>(
      "invoke",
      new messages.InvokeRequest().setTok("pipestack:index:getWebhooks").setArgs(struct({})),
    );
    expect(response.getReturn()?.toJavaScript()).to.have.property("webhooks").with.length.above(0);
  });

  describe("marks what a function answers as secret where it was asked for secrets, and nowhere else:", () => {
    for (const [name, member, hidden, args] of [
      ["getPipes", "pipes", "connectionString", {}],
      ["getWebhooks", "webhooks", "https://hooks.example.com", {}],
      ["getWebhook", "url", "https://hooks.example.com", { name: "on-call" }],
    ] as const) {
      it(name, async () => {
        const answerTo = async (args: object) => {
          const request = new messages.InvokeRequest()
            .setTok(`pipestack:index:${name}`)
            .setArgs(struct(args));
          const response = await plugin.call<messages.InvokeResponse>("invoke", request);
          return response.getReturn()?.toJavaScript() ?? {};
        };
        const plain = await answerTo(args);
        expect(JSON.stringify(plain)).to.include('"id"').and.not.include(hidden);
        const marked = (await answerTo({ ...args, includeSecrets: true }))[member] as { value: unknown };
        expect(marked).to.deep.equal(secret(marked.value));
        expect(JSON.stringify(marked.value)).to.include(hidden);
      });
    }
  });

  it("says every problem of its settings at once, and shows no credential", async () => {
    const response = await plugin.call<messages.CheckResponse>(
      "checkConfig",
      new messages.CheckRequest().setNews(
        struct({ baseUrl: "ftp://x", keySecret: "with a space", maxRetries: "many", baseURL: "x" }),
      ),
    );
    const failures = response.getFailuresList();
    // The engine prints the value of a property that a failure names.
    expect(failures.map((failure) => failure.getProperty()).sort()).to.deep.equal([
      "",
      "",
      "baseUrl",
      "maxRetries",
    ]);
    for (const name of ["baseUrl", "keySecret", "maxRetries", "baseURL"])
      expect(failures.map((failure) => failure.getReason()).join()).to.include(name);
    expect(failures.map((failure) => failure.getReason()).join()).to.not.include("with a space");
    expect(response.getInputs()?.toJavaScript().keySecret).to.deep.equal(secret("with a space"));
  });

  it("takes from the stack's configuration what an explicit provider is not given", async () => {
    const { keySecret, ...given } = settingsOf(tested.sandbox);
    process.env.PULUMI_CONFIG = JSON.stringify({ keySecret, organizationId: "not-this-one" });
    try {
      await plugin.configure(given, "own");
    } finally {
      delete process.env.PULUMI_CONFIG;
    }
    expect(await plugin.list("ApiKey")).to.have.length(tested.sandbox.store.keys.size);
  });

  it("replaces nothing because an address or an organization changed", async () => {
    const response = await plugin.call<messages.DiffResponse>(
      "diffConfig",
      new messages.DiffRequest()
        .setOlds(struct({ baseUrl: "https://a", organizationId: "x" }))
        .setNews(struct({ baseUrl: "https://b", organizationId: "y" })),
    );
    expect(response.getReplacesList()).to.deep.equal([]);
    expect(response.getDiffsList()).to.have.members(["baseUrl", "organizationId"]);
  });

  it("answers a type that it does not have with those that it has", async () => {
    const failure = await plugin
      .resource("Dashbord")
      .check({})
      .catch((error: Error) => error);
    expect(failure).to.have.property("details").that.includes("pipestack:index:Dashboard");
  });

  it("says its version", async () => {
    const info = await plugin.call<{ getVersion(): string }>("getPluginInfo", new Empty());
    expect(info.getVersion()).to.match(/^\d+\.\d+\.\d+/);
  });
});
