import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { expect } from "chai";
import { secret } from "../../../../provider/hosts/engineValues";
import { failureOfCall, plain, struct, usePlugin } from "./engine";

describe("The plugin as a provider", () => {
  const tested = usePlugin();

  for (const [name, member, hidden, args] of [
    ["getPipes", "pipes", "connectionString", {}],
    ["getWebhooks", "webhooks", "https://hooks.example.com", {}],
    ["getWebhook", "url", "https://hooks.example.com", { name: "on-call" }],
  ] as const)
    it(`marks the secrets in the answer of ${name} as secret, and nothing else`, async () => {
      const shown = await tested.plugin.invoke(name, args);
      expect(JSON.stringify(shown)).to.include('"id"').and.not.include(hidden);
      const answer = await tested.plugin.invoke(name, { ...args, includeSecrets: true });
      const marked = answer[member] as { value: unknown };
      expect(marked).to.deep.equal(secret(marked.value));
      expect(JSON.stringify(marked.value)).to.include(hidden);
    });

  it("names every problem of its settings at once, and shows no credential", async () => {
    const settings = { baseUrl: "ftp://x", keySecret: "with a space", maxRetries: "many", baseURL: "x" };
    const response = await tested.plugin.call<messages.CheckResponse>(
      "checkConfig",
      new messages.CheckRequest().setNews(struct(settings)),
    );
    const failures = response.getFailuresList();
    // The engine prints the value of a property that a failure names.
    const named = failures.map((failure) => failure.getProperty());
    expect(named).to.have.members(["", "", "baseUrl", "maxRetries"]);
    const reasons = failures.map((failure) => failure.getReason()).join();
    for (const name of Object.keys(settings)) expect(reasons).to.include(name);
    expect(reasons).to.not.include("with a space");
    expect(plain(response.getInputs()).keySecret).to.deep.equal(secret("with a space"));
  });

  it("a change of address or organization replaces no object of the plugin", async () => {
    const request = new messages.DiffRequest()
      .setOlds(struct({ baseUrl: "https://a", organizationId: "x" }))
      .setNews(struct({ baseUrl: "https://b", organizationId: "y" }));
    const response = await tested.plugin.call<messages.DiffResponse>("diffConfig", request);
    expect(response.getReplacesList()).to.deep.equal([]);
    expect(response.getDiffsList()).to.have.members(["baseUrl", "organizationId"]);
  });

  it("refuses an unknown type with the types that exist", async () => {
    const { details } = await failureOfCall(tested.plugin.resource("Dashbord").check({}));
    expect(details).to.include("pipestack:index:Dashboard");
  });
});
