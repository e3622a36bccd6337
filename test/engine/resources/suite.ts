import { expect } from "chai";
import { createSandbox, type Sandbox } from "../../../sandbox/src";
import { settingVariables } from "../../pipestackCommand";
import { settingsOf } from "../../serviceContents";
import { calls, type Fixture, useFixture } from "../fixture";
import { onSecondService, operationIn, routesOf } from "./operations";
import type { Data, Setup } from "./setups";

/** A sandbox of a setup, and a workspace with the settings that a user of it has. */
export interface Suite extends Fixture {
  /** Organization and service that the settings name, if any. */
  place(): Data;
  /** Names of the operations that were asked for since the last `forget`, as {@link operationIn} writes them. */
  asked(): string[];
  /** Those of them that are more than a look. */
  changes(): string[];
  /** Begins anew to note what is asked for. */
  forget(): void;
  /** The name of an operation on what a program has on the second place. */
  onSecond(operation: string): string;
  /** Fails unless these bodies, and no others, were sent to an operation since the last `forget`, in any order. */
  expectSent(operation: string, ...expected: Data[]): void;
  /** The id of each resource in the state, by its name. */
  ids(): Promise<Record<string, string>>;
}

/** The tests of a resource in each setup, with one sandbox and one stack for each. */
export function inEach(
  setups: readonly Setup[],
  resource: string,
  define: (suite: Suite, setup: Setup) => void,
): void {
  for (const setup of setups) {
    describe(`${resource}, applied by the engine with ${setup.title}`, () => {
      const { dialect, apis, rewrites, state } = setup;
      const fixture = useFixture({ sandbox: { dialect, apis, rewrites: [...rewrites] }, state });
      const suite = Object.assign(fixture, extensionOf(fixture, setup));
      let other: Sandbox | undefined;

      before(async () => {
        if (apis !== "both")
          other = await createSandbox({ apis: apis === "management" ? "observability" : "management" });
        const baseUrl = fixture.sandbox.baseUrl || other?.baseUrl || "";
        const obsBaseUrl = fixture.sandbox.obsBaseUrl || other?.obsBaseUrl || "";
        // The product's own limits would make the tests wait.
        const settings = { dialect, requestsPerSecond: "1000", baseUrl, obsBaseUrl };
        Object.assign(fixture.environment, settingVariables(settings));
      });
      after(() => other?.close());

      define(suite, setup);

      describe("in the end", () => {
        it("has asked for nothing that its servers do not have, and for nothing at the API that it was not given", () => {
          const known = Object.keys(routesOf(setup));
          const all = calls(fixture.sandbox).map((line) => operationIn(setup, line));
          expect(all.filter((name) => !known.includes(name.split(" ")[0] ?? ""))).to.deep.equal([]);
          expect(all).to.not.deep.equal([]);
          expect(other?.requests ?? []).to.deep.equal([]);
        });
      });
    });
  }
}

function extensionOf(fixture: Fixture, setup: Setup): Omit<Suite, keyof Fixture> {
  let forgotten = 0;
  const asked = () =>
    calls(fixture.sandbox)
      .slice(forgotten)
      .map((line) => operationIn(setup, line));
  return {
    place() {
      const { organizationId, serviceId } = settingsOf(fixture.sandbox);
      return organizationId ? { organizationId, serviceId } : {};
    },
    asked,
    changes: () => asked().filter((operation) => !/^(list|get)/.test(operation)),
    forget() {
      forgotten = fixture.sandbox.requests.length;
    },
    onSecond: (operation) =>
      setup.places.second.service === "secondServiceId" ? operation + onSecondService : operation,
    expectSent(operation, ...expected) {
      const names = asked();
      const sent = fixture.sandbox.requests
        .slice(forgotten)
        .filter((_request, index) => names[index] === operation)
        .map(({ requestBody }) => requestBody);
      expect(sent, operation).to.have.deep.members(expected.map(setup.inWords));
    },
    async ids() {
      const { resources = [] } = (await fixture.exportState()).deployment;
      return Object.fromEntries(resources.map(({ urn, id = "" }) => [urn.split("::").at(-1) ?? "", id]));
    },
  };
}
