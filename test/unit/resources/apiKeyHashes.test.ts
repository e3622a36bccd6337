import { expect } from "chai";
import { createSandbox, type Sandbox } from "../../../sandbox/src";
import { settingsOf } from "../../serviceContents";
import { freshHost, type Host, withoutEnvironment } from "../hosts/dynamic/freshProvider";
import { hashData } from "./validInputs";

describe("an API key that is made from hashes", () => {
  let sandbox: Sandbox;
  let host: Host;
  let restore: () => void;

  before(async () => {
    restore = withoutEnvironment();
    sandbox = await createSandbox();
    host = freshHost(settingsOf(sandbox));
  });
  after(async () => {
    await sandbox.close();
    restore();
  });

  it("is sent them when it is created, and not when it is changed or taken over: the service refuses that", async () => {
    const { organizationId } = sandbox.credentials;
    const inputs = { organizationId, name: "before", roles: ["developer"], hashData };
    const { id, outs } = await host.ApiKey.create(inputs);
    const changed = await host.ApiKey.update?.(id, outs, { ...inputs, name: "after" });
    expect(changed?.outs.hashData).to.deep.equal(hashData);
    await host.ApiKey.create({ ...inputs, name: "adopted", adoptId: id });
    expect(sandbox.store.keys.get(id)?.name).to.equal("adopted");
    const sent = sandbox.requests.filter(({ requestBody }) => requestBody !== undefined);
    expect(
      sent.map(({ method, requestBody }) => [method, "hashData" in (requestBody as object)]),
    ).to.deep.equal([
      ["POST", true],
      ["PATCH", false],
      ["PATCH", false],
    ]);
  });
});
