import { expect } from "chai";
import { createSandbox, type Sandbox } from "../../../sandbox/src";
import { Declared, sessionOf } from "../drift/fixture";
import { hashData } from "./validInputs";

describe("the key that signs the requests", () => {
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await createSandbox();
  });
  afterEach(() => sandbox.close());

  /** What deleting a key comes to, and which requests for it were sent. */
  async function deletionOf(declared: Declared) {
    sandbox.requests.length = 0;
    const outcome = await declared.delete(sessionOf(sandbox).session).catch((error: Error) => error.message);
    return { outcome, operations: sandbox.requests.map(({ operation }) => operation) };
  }

  async function applied(program: object): Promise<Declared> {
    const declared = new Declared("ApiKey", { name: "reporting", roles: ["admin"], ...program });
    await declared.up(sessionOf(sandbox).session);
    return declared;
  }

  it("is not deleted after it was adopted, when no state has its keyId", async () => {
    const [adoptId] = sandbox.store.keys.keys();
    const { outcome, operations } = await deletionOf(await applied({ adoptId }));
    expect(outcome).to.equal(
      `API key ${adoptId} is not deleted: it may be the key this provider signs with (same suffix); set other credentials in keyId and keySecret first`,
    );
    expect(operations).to.deep.equal([]);
  });

  it("is not deleted where it was made from hashes of what signs now", async () => {
    const keyIdSuffix = sandbox.credentials.keyId.slice(-4);
    const { outcome, operations } = await deletionOf(
      await applied({ hashData: { ...hashData, keyIdSuffix } }),
    );
    expect(outcome).to.include("is not deleted");
    expect(operations).to.deep.equal([]);
  });

  it("is told by its whole keyId where the state has that", async () => {
    const declared = await applied({});
    const { keyId } = sandbox.credentials;
    declared.state = { ...declared.state, keySuffix: keyId.slice(-4) };
    expect(await deletionOf(declared)).to.deep.equal({ outcome: undefined, operations: ["deleteKey"] });
  });

  it("does not keep other adopted keys from being deleted", async () => {
    const { id } = await applied({});
    const adopted = await applied({ adoptId: id });
    expect(await deletionOf(adopted)).to.deep.equal({ outcome: undefined, operations: ["deleteKey"] });
  });
});
