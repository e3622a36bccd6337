import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import * as pipestack from "../../../../provider/index";
import { createSandbox, type Sandbox } from "../../../../sandbox/index";
import { settingsOf } from "../../../serviceContents";
import { failureOf } from "../../api/failure";
import { requestsTo, resolved, sandboxedProgram } from "../../functions/sandboxedProgram";

describe("Functions with an explicit provider", () => {
  const program = sandboxedProgram();
  let sandbox: Sandbox;
  let other: Sandbox;

  beforeEach(() => {
    ({ sandbox } = program);
  });

  const services = () => `/v1/organizations/${sandbox.credentials.organizationId}/services`;

  before(async () => {
    other = await createSandbox();
  });

  after(() => other.close());

  it("a function uses the settings of its explicit provider, and each provider has its own", async () => {
    const explicit = new pipestack.Provider("other", settingsOf(other));
    const narrowed = new pipestack.Provider("second-service", {
      ...settingsOf(other),
      serviceId: pulumi.output(other.credentials.secondServiceId),
      keySecret: pulumi.secret(other.credentials.keySecret),
    });
    expect(await pipestack.getPipes({}, { provider: explicit })).to.have.length(4);
    expect(await resolved(pipestack.getPipesOutput({}, { provider: narrowed }))).to.have.length(0);
    await pipestack.getSources();
    expect(requestsTo(sandbox)).to.deep.equal(["GET sources"]);
    const { serviceId, secondServiceId } = other.credentials;
    expect(other.requests.map(({ path }) => path)).to.deep.equal([
      `${services()}/${serviceId}/pipes`,
      `${services()}/${secondServiceId}/pipes`,
    ]);
  });

  it("a function of a provider with secret settings returns outputs that are not secret", async () => {
    const provider = new pipestack.Provider("secretive", settingsOf(other));
    const output = pipestack.getPipesOutput({}, { provider });
    expect(await pulumi.isSecret(output)).to.equal(false);
  });

  it("a function reports an invalid setting of its provider before any request", async () => {
    other.requests.length = 0;
    const provider = new pipestack.Provider("wrong", { ...settingsOf(other), accessToken: "two words" });
    const { message } = await failureOf(pipestack.getPipes({}, { provider }));
    expect(message).to.match(/^pipestack\.getPipes: setting accessToken must be printable ASCII/);
    expect(message).not.to.include("two words");
    expect(requestsTo(other)).to.deep.equal([]);
  });
});
