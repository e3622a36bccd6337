import { expect } from "chai";
import { expiringKeys, hiddenEnds } from "../../../../cli/drift/expiring";

const token = (type: string) => `pulumi-nodejs:dynamic/pipestack:${type}`;
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const urnOf = (name: string) => `urn:pulumi:dev::project::${token("ApiKey")}::${name}`;
const key = (name: string, expireAt: unknown, further = {}) => ({
  ...{ urn: urnOf(name), type: token("ApiKey"), id: `id of ${name}`, outputs: { expireAt } },
  ...further,
});
const namesOf = (keys: readonly { readonly name: string }[]) => keys.map(({ name }) => name);

describe("API keys that expire soon", () => {
  it("the drift report names keys that expire within the given days or have expired, the earliest first", () => {
    const keys = [
      ...[key("soon", inDays(13.9)), key("later", inDays(14.1)), key("ended", inDays(-1))],
      ...[key("endless", null), key("cleared", ""), key("hidden", { secret: inDays(1) })],
    ];
    expect(namesOf(expiringKeys(keys, [], 14))).to.deep.equal(["ended", "soon"]);
  });

  it("the drift report says that the expiry of a key is unknown if the state has it as a secret", () => {
    const sealed = {
      "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
      ciphertext: "v1:…",
    };
    const keys = [
      key("open", inDays(90)),
      key("sealed", sealed),
      key("shown", "[secret]"),
      key("endless", null),
    ];
    expect(hiddenEnds(keys, [])).to.deep.equal([
      "not known whether they end soon, since the program keeps expireAt secret: ApiKey sealed, ApiKey shown",
    ]);
    expect(hiddenEnds([key("open", inDays(90))], [])).to.deep.equal([]);
  });

  it("the drift report warns only of the expiry of keys that the program manages", () => {
    const date = inDays(1);
    const others = [
      ...[key("read", date, { external: true }), key("former", date, { delete: true })],
      key("alert", date, { type: token("Alert") }),
    ];
    expect(expiringKeys(others, [], 14)).to.deep.equal([]);
  });

  it("the drift report takes the expiry of keys from the service, not from the state", () => {
    const keys = [key("prolonged", inDays(1)), key("shortened", inDays(90)), key("gone", inDays(1))];
    const found = (name: string, expireAt?: string) => ({
      ...{ op: "update", urn: urnOf(name) },
      new: expireAt ? { outputs: { expireAt } } : null,
    });
    const steps = [found("prolonged", inDays(90)), found("shortened", inDays(2)), found("gone")];
    expect(namesOf(expiringKeys(keys, steps, 14))).to.deep.equal(["shortened"]);
  });
});
