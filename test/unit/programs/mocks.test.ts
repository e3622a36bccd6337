import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import * as pipestack from "../../../provider/index";
import * as testing from "../../../provider/testing";
import { failureOf } from "../api/failure";
import { withoutEnvironment } from "../hosts/dynamic/hostProcess";
import { evaluate } from "./evaluate";

const document = readFileSync(join(__dirname, "..", "..", "..", "docs", "testing-programs.md"), "utf8");
const [, section = ""] = /^## Mocks\n([\s\S]*?)^## /m.exec(document) ?? [];
const examples = [...section.matchAll(/^```typescript\n([\s\S]*?)^```/gm)].map(([, program = ""]) => program);

describe("Users' unit tests with Pulumi mocks", () => {
  const asked: { token: string; inputs: object; provider?: string }[] = [];
  let restoreEnvironment: () => void;

  before(() => {
    restoreEnvironment = withoutEnvironment();
    pulumi.runtime.setMocks({
      newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs }),
      call: (call) => {
        asked.push(call);
        if (call.token === "pipestack:index:getPipe") return { id: "p", name: "orders" };
        return call.inputs.serviceId ? {} : { pipes: [{ id: "p", name: "orders" }] };
      },
    });
  });
  beforeEach(() => {
    asked.length = 0;
  });
  after(() => {
    pulumi.runtime.resetOptions("", "", -1, "", "", false, "");
    restoreEnvironment();
  });

  const serviceId = "7b0f0f0e-27a2-4f0c-9f43-9c1d6a0a3c11";
  const value = <Value>(output: pulumi.Output<Value>) =>
    new Promise((resolve) => {
      output.apply(resolve);
    });

  it("a function returns the answer of a mock, without settings and requests", async () => {
    expect(await pipestack.getPipe({ pipeId: serviceId })).to.deep.equal({ id: "p", name: "orders" });
    expect(await pipestack.getPipes()).to.deep.equal([{ id: "p", name: "orders" }]);
    expect(await value(pipestack.getPipesOutput())).to.deep.equal([{ id: "p", name: "orders" }]);
    expect(asked.map(({ token }) => token)).to.deep.equal([
      "pipestack:index:getPipe",
      "pipestack:index:getPipes",
      "pipestack:index:getPipes",
    ]);
    expect(asked[0]?.inputs).to.deep.equal({ pipeId: serviceId });
  });

  it("a function with mocks fails for invalid arguments, and for a mock's answer that lacks its list", async () => {
    const { message } = await failureOf(pipestack.getPipes({ serviceId: "nonsense" }));
    expect(message).to.include("serviceId must be a uuid");
    expect(asked).to.deep.equal([]);
    expect((await failureOf(pipestack.getPipes({ serviceId }))).message).to.equal(
      'pipestack.getPipes: the mock of pipestack:index:getPipes must answer an object with the list "pipes"',
    );
  });

  it("mocks receive the provider that the options of a function name, or else the provider of its parent", async () => {
    const [one, other] = ["one", "other"].map((name) => new pipestack.Provider(name, { serviceId }));
    const options = { providers: [other as never] };
    const component = new pulumi.ComponentResource("tests:index:Group", "group", {}, options);
    const child = new pulumi.ComponentResource("tests:index:Group", "child", {}, { parent: component });
    await value(pipestack.getPipesOutput({}, { parent: child }));
    await pipestack.getPipes({}, { provider: one, parent: child });
    await pipestack.getPipes({}, { parent: new pulumi.ComponentResource("tests:index:Group", "alone") });
    expect(asked.map(({ provider }) => provider?.split("::")[3])).to.deep.equal(["other", "one", undefined]);
  });

  it("the example of a unit test in the documents passes", async () => {
    expect(examples).to.have.length(2);
    const tests: [string, () => Promise<void>][] = [];
    const modules: { readonly [name: string]: unknown } = {
      "node:assert/strict": assert,
      "node:test": { test: (...test: [string, () => Promise<void>]) => tests.push(test) },
      "@pulumi/pulumi": pulumi,
      pipestack,
      "pipestack/testing": testing,
    };
    for (const example of examples) evaluate(example, modules);
    expect(tests.map(([title]) => title)).to.deep.equal(["errors alert on their tile"]);
    for (const [, test] of tests) await test();
    expect(await pipestack.getPipes()).to.deep.equal([{ id: "p", name: "orders" }]);
  });
});
