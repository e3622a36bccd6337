import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { resultMember } from "../../../provider/engine/names";
import { callFunction, type FunctionDefinition } from "../../../provider/functions/definition";
import { functions } from "../../../provider/functions/registry";
import * as pipestack from "../../../provider/index";
import { check } from "../../../provider/lifecycle/check";
import type { TypeName } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { createSandbox, type Sandbox } from "../../../sandbox/index";
import { Declared, sessionOf } from "../drift/fixture";
import { evaluate } from "./evaluate";

const read = (...path: string[]) => readFileSync(join(__dirname, "..", "..", "..", ...path), "utf8");
const [, first = ""] =
  /^## A first program$[\s\S]*?^```typescript\n([\s\S]*?)^```/m.exec(read("README.md")) ?? [];

/** The README's first program and the quickstart, with the number of resources in each. */
const programs = [
  ["the first program of the README", first, 3],
  ["the quickstart", read("examples", "quickstart", "index.ts"), 8],
] as const;

const config = { replicas: "3", threshold: "100", keyGeneration: "1" };
const modules: { readonly [name: string]: unknown } = { "@pulumi/pulumi": pulumi, pipestack };

/** Runs a program with mocks that create resources and answer functions in the sandbox. */
async function applied(
  program: string,
  count: number,
  { session }: ReturnType<typeof sessionOf>,
): Promise<Declared[]> {
  const created: Declared[] = [];
  await new Promise<void>((resolve, reject) => {
    pulumi.runtime.setMocks(
      {
        async newResource({ type, inputs: { __provider, __declaration, ...inputs } }) {
          const { isRpcSecret, unwrapRpcSecret } = pulumi.runtime;
          const plain = (value: unknown) => (isRpcSecret(value) ? unwrapRpcSecret(value) : value);
          const program = Object.fromEntries(
            Object.entries(inputs).map(([name, value]) => [name, plain(value)]),
          );
          const declared = new Declared(type.split(":").at(-1) as TypeName, program as PropertyMap);
          await declared.up(session).catch(reject);
          created.push(declared);
          if (created.length === count) resolve();
          return { id: declared.id, state: declared.state };
        },
        async call({ token, inputs }) {
          const name = token.split(":").at(-1) as keyof typeof functions;
          const definition = functions[name] as FunctionDefinition;
          const answer = await callFunction(definition, inputs as never, session);
          const member = resultMember(definition);
          return (member === undefined ? answer : { [member]: answer }) as PropertyMap;
        },
      },
      "program",
    );
    pulumi.runtime.setAllConfig(
      Object.fromEntries(Object.entries(config).map(([name, value]) => [`program:${name}`, value])),
    );
    evaluate(program, modules);
  });
  return created;
}

describe("The first programs in the documents", () => {
  let sandbox: Sandbox;

  afterEach(async () => {
    pulumi.runtime.resetOptions("", "", -1, "", "", false, "");
    pulumi.runtime.setAllConfig({});
    await sandbox.close();
  });

  for (const dialect of ["neutral", "clickhouse"] as const) {
    for (const [title, program, count] of programs) {
      it(`the dialect ${dialect} creates, keeps and deletes a program's resources without a warning: ${title}`, async () => {
        sandbox = await createSandbox({ dialect });
        const before = sizesOf(sandbox);
        const open = () => sessionOf(sandbox, { dialect, requestsPerSecond: "1000" });
        const created = await applied(program, count, open());
        const { session } = open();
        for (const declared of created) {
          const { warnings } = check(declared.resource, {}, declared.program, session);
          expect(warnings).to.deep.equal([]);
          expect(await declared.refresh(session), declared.type).to.deep.equal([]);
          expect(await declared.up(session), declared.type).to.deep.equal([]);
        }
        const last = open();
        for (const declared of created.reverse()) await declared.delete(last.session);
        expect(last.warnings.filter((warning) => warning.includes("still used"))).to.deep.equal([]);
        expect(sizesOf(sandbox)).to.deep.equal(before);
        // The test expects two answers with 404: the API document has no list of services, and the query endpoint does not
        // exist at first.
        const expected = /\/(services|serviceQueryEndpoint)$/;
        const refused = sandbox.requests.filter(({ status, path }) => status >= 400 && !expected.test(path));
        expect(refused).to.deep.equal([]);
      });
    }
  }
});

function sizesOf({ store }: Sandbox): Record<string, number> {
  const { keys, queryEndpoints, sources, webhooks, dashboards, savedSearches, alerts } = store;
  const collections = { keys, queryEndpoints, sources, webhooks, dashboards, savedSearches, alerts };
  return Object.fromEntries(Object.entries(collections).map(([name, { size }]) => [name, size]));
}
