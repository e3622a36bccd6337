import { expect } from "chai";
import { resources, type TypeName, typeNames } from "../../../provider/resources/registry";
import { settingVariables } from "../../pipestackCommand";
import { fileNameOf } from "../../unit/resources/examples";
import { expectNoSecrets, expectOneClearError } from "../fixture";
import type { RunOptions } from "../workspace";
import { unsupportedAlertProgram } from "./alert";
import { serves } from "./operations";
import type { Setup } from "./setups";
import {
  type FailingDeclaration,
  joined,
  type ResourceTests,
  type Stage,
  type SuiteOf,
  suiteOf,
  useStack,
} from "./suite";

/** After so long nothing is too new to be believed gone. */
const recentMilliseconds = 200_000;

/** The life of one stack with all resources that a setup has. */
export function testAllResources(setup: Setup): void {
  describe(`all resources, applied by the engine with ${setup.title}`, () => {
    const hasServices = setup.apis !== "observability";
    const stack = useStack(setup);
    const types = typeNames
      .filter((type) => serves(setup, resources[type].operations.create))
      .map((type) => testsOf(type)((of) => suiteOf(stack, setup, of), setup));
    const secrets: unknown[] = [];

    before(() => {
      for (const tests of types) tests.prepare?.();
    });

    const test = (name: "created" | "changed" | "changedAgain") => {
      const programs = (of: (stage: Stage) => string) => types.map((tests) => of(tests[name]));
      before(() => {
        if (name !== "created") stack.pass(recentMilliseconds);
        return stack.update(
          programs((stage) => stage.program()),
          name === "changedAgain" ? { args: ["--refresh"] } : {},
        );
      });
      for (const tests of types) describe(tests.type, () => tests[name].tests());

      describe("the stack", () => {
        it("leaves no secret readable in state, output and journal", async () => {
          for (const tests of types) secrets.push(...((await tests.secrets?.()) ?? []));
          await expectNoSecrets(stack, ...secrets);
        });
        if (name === "created") {
          it("shows no changes in the next preview, and asks for nothing", async () => {
            stack.forget();
            await stack.write(joined(programs((stage) => stage.equivalent?.() ?? stage.program())));
            await stack.preview({ args: ["--expect-no-changes"] });
            expect(stack.asked()).to.deep.equal([]);
          });
        }
        it("shows no drift right after, for one list of each collection and one look at everything else", async () => {
          stack.forget();
          await stack.preview({ args: ["--refresh", "--expect-no-changes"] });
          if (name === "created") expect(stack.asked()).to.have.members(types.flatMap(({ looks }) => looks));
        });
      });
    };
    describe("created", () => test("created"));
    describe("changed", () => test("changed"));
    describe("changed again, with a refresh", () => test("changedAgain"));

    describe("destroyed", () => {
      const signing = () => stack.outputsOf("signing", "ApiKey");

      before(() => {
        for (const tests of types) tests.beforeDestroy?.();
        stack.pass(recentMilliseconds);
        stack.forget();
      });

      describe("the stack", () => {
        if (hasServices) {
          it("says in one clear error why the key that signs the requests is not deleted, and deletes the others", async () => {
            const { keyId, keySecret } = await signing();
            const { output } = await stack.destroy({
              args: ["--continue-on-error", "--exclude", "**:ServiceScaling::*"],
              environment: { PIPESTACK_KEY_ID: String(keyId), PIPESTACK_KEY_SECRET: String(keySecret) },
              expect: "failure",
            });
            const id = stack.ids.get("ApiKey signing");
            expectOneClearError(
              output,
              `API key ${id} is not deleted: it is the key this provider signs with`,
              "keyId and keySecret",
            );
            expect(output).to.not.include(String(keySecret));
          });
        } else {
          it("needs one command", () => stack.destroy());
        }
      });

      for (const tests of types) {
        if (tests.destroyed) describe(tests.type, () => tests.destroyed?.());
      }

      describe("what is left of the stack", () => {
        if (hasServices) {
          it("deletes the signing key with other credentials, and forgets the scaling of a service that is gone", async () => {
            const { serviceId } = stack.sandbox.credentials;
            const { services, keys } = stack.sandbox.store;
            const gone = services.get(serviceId);
            if (!gone) throw new Error(`the sandbox has no service ${serviceId}`);
            services.delete(serviceId);
            stack.forget();
            await stack.destroy();
            services.set(serviceId, gone);
            const [looks] = setup.scaling.looks;
            expect(stack.asked()).to.have.members(["deleteKey", "getService 404", "getService 404", looks]);
            expect([...keys.values()].map(({ name }) => name)).to.deep.equal(["sandbox admin", "by hand"]);
          });
        }

        it("leaves nothing in the state", async () => {
          expect((await stack.exportState()).deployment.resources).to.equal(undefined);
        });
      });
    });

    describe("an alert that only another dialect supports", () => {
      it("is refused before anything is sent", async () => {
        stack.forget();
        await stack.write(unsupportedAlertProgram(setup));
        const { inputs, property, problem } = setup.unsupportedAlert;
        const { output } = await stack.preview({ expect: "failure" });
        expectOneClearError(
          output,
          setup.host === "dynamic"
            ? `${property} ${problem}`
            : `property ${property} value {${inputs[property]}} has a problem: ${problem}`,
        );
        expect(stack.asked()).to.deep.equal([]);
      });
    });

    describe("what cannot be created", () => {
      let output = "";

      before(async () => {
        for (const tests of types) await tests.prepareFailing?.();
        const declarations = types.flatMap(({ failing }) => failing.map(({ declaration }) => declaration));
        stack.forget();
        const options: RunOptions = {
          args: ["--continue-on-error"],
          expect: "failure",
          // Or no dashboard that the service refuses would get as far as that.
          environment: settingVariables({ validateDashboards: "false" }),
        };
        ({ output } = await stack.apply(joined(declarations), options));
      });

      for (const { type, failing } of types) {
        for (const one of failing) {
          it(`is one clear error of ${type} when ${one.when}`, () => expectOneError(output, type, one));
        }
      }

      it("sends nothing but looks and what the API refuses", () => {
        const sent = stack.asked().filter((operation) => !/^(list|get|validate|GET)/.test(operation));
        expect(sent).to.have.members(types.map(({ refused }) => `${refused} 400`));
      });
    });

    describe("in the end", () => {
      it("has asked for nothing that its servers do not have, and for nothing at the API that it was not given", () =>
        stack.expectOwnOperations());
    });
  });
}

/** The tests of a type: `alertTests` in `alert.ts` for `Alert`. */
function testsOf(type: TypeName): (suiteOf: SuiteOf, setup: Setup) => ResourceTests {
  const name = fileNameOf(type);
  return require(`./${name}`)[`${name}Tests`];
}

/** Fails unless the CLI says one thing of a resource in the end, and that. */
function expectOneError(
  output: string,
  type: ResourceTests["type"],
  { name, message }: FailingDeclaration,
): void {
  const [, text = ""] =
    new RegExp(`^ {2}\\S+:${type} \\(${name}\\):\\n((?: {4}.*\\n)*)`, "m").exec(output) ?? [];
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    // The plugin warns beside the resource.
    .filter((line) => line !== "" && !line.startsWith("warning: "));
  expect(lines, output).to.have.length(1);
  for (const words of message) {
    if (typeof words === "string") expect(lines[0]).to.include(words);
    else expect(lines[0]).to.match(words);
  }
}
