import { expect } from "chai";
import type { TypeName } from "../../../provider/resources/registry";
import { createSandbox, type Sandbox } from "../../../sandbox/index";
import { settingVariables } from "../../pipestackCommand";
import { settingsOf } from "../../serviceContents";
import { type Fixture, useFixture } from "../fixture";
import type { RunOptions, Update } from "../workspace";
import { onSecondService, operationIn } from "./operations";
import type { Data, Setup } from "./setups";

/** The operations of those types that these do not have in their names. */
const operationsOf: { readonly [type in TypeName]?: RegExp } = {
  ApiKey: /Key/,
  ServiceScaling: /Service|Scaling/,
};

/** How names begin of objects that the tests of another type need: `expectSent` leaves them out. */
export const auxiliary = "auxiliary: ";

/** What the tests of one type declare in a stack of all types, and expect of it. */
export interface ResourceTests {
  readonly type: TypeName;
  /** Puts into the service what is there before the stack. */
  prepare?(): void;
  readonly created: Stage;
  readonly changed: Stage;
  /** Applied with a refresh. */
  readonly changedAgain: Stage;
  /** The operations by which a refresh reads the objects of this type. */
  readonly looks: readonly string[];
  /** What must be readable nowhere; asked for after each stage. */
  secrets?(): Promise<unknown[]>;
  /** Deletes an object behind the back of the stack, which is destroyed next. */
  beforeDestroy?(): void;
  /** Tests after everything but the signing key and the scaling was destroyed. */
  destroyed?(): void;
  /** What cannot be created; applied in the end, all together. */
  readonly failing: readonly FailingDeclaration[];
  prepareFailing?(): unknown;
  /** The operation that the API then refuses. */
  readonly refused: string;
}

/** What a program declares of a type, and what holds when it is applied. */
export interface Stage {
  program(): string;
  /** Another program for the same objects, for the preview that shows no changes. Default: the same one. */
  equivalent?(): string;
  tests(): void;
}

/** A resource that cannot be created. */
export interface FailingDeclaration {
  /** Completes "is one clear error when". */
  readonly when: string;
  /** Name of the resource in the program. */
  readonly name: string;
  readonly declaration: string;
  /** What the error says. */
  readonly message: readonly (string | RegExp)[];
}

/** A stack of all types in a setup. */
export interface Stack extends Fixture {
  /** What the last `update` ended with. */
  last: Update;
  /** Applies a program of several parts, and begins anew to note requests. */
  update(programs: readonly string[], options?: RunOptions): Promise<void>;
  /** The id of each resource in the state, by type and name: `Alert worded`. */
  readonly ids: ReadonlyMap<string, string>;
  /** Names of the operations that were asked for since the last `forget`, as {@link operationIn} writes them. */
  asked(): string[];
  /** Begins anew to note what is asked for. */
  forget(): void;
  /** The requests since the last `forget`. */
  requests(): Sandbox["requests"];
  /** Fails if anything was ever asked for that the servers do not have, or of the API that the setup lacks. */
  expectOwnOperations(): void;
}

/** One program of several parts, each in a block of its own, so that they may use the same names for variables. */
export function joined(parts: readonly string[]): string {
  return parts.map((part) => `{\n${part}}\n`).join("");
}

/** A sandbox of a setup, and a workspace with the settings that a user of it has. */
export function useStack(setup: Setup): Stack {
  const { dialect, apis, rewrites, host } = setup;
  const fixture = useFixture({ host, sandbox: { dialect, apis, rewrites: [...rewrites] } });
  const ids = new Map<string, string>();
  let forgotten = 0;
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

  const stack: Stack = Object.assign(fixture, {
    last: undefined as unknown as Update,
    ids,
    requests: () => fixture.sandbox.requests.slice(forgotten),
    expectOwnOperations() {
      const all = fixture.sandbox.requests.map((request) => operationIn(setup, request));
      const { looks } = setup.scaling;
      expect(all.filter((name) => name.includes("/") && !looks.includes(name))).to.deep.equal([]);
      expect(all).to.not.deep.equal([]);
      expect(other?.requests ?? []).to.deep.equal([]);
    },
    asked: () => stack.requests().map((request) => operationIn(setup, request)),
    forget() {
      forgotten = fixture.sandbox.requests.length;
    },
    async update(programs: readonly string[], options?: RunOptions) {
      stack.forget();
      stack.last = await fixture.apply(joined(programs), options);
      const { resources = [] } = (await fixture.exportState({ showSecrets: true })).deployment;
      ids.clear();
      for (const { urn, type, id = "" } of resources)
        ids.set(`${type.split(":").at(-1)} ${urn.split("::").at(-1)}`, id);
    },
  });
  return stack;
}

/** What the tests of one type see of a stack. */
export interface Suite {
  readonly sandbox: Sandbox;
  /** What the last update ended with. */
  readonly last: Update;
  /** What it did with each resource of the type, by its name. */
  done(): Record<string, string>;
  /** The properties for which it replaced one. */
  replaceKeys(name: string): readonly string[] | undefined;
  /** The id of a resource in the state; of this type if no other is named. */
  id(name: string, type?: TypeName): string;
  outputsOf(name: string): Promise<Record<string, unknown>>;
  /** What the program exports under the name of the type. */
  exported(): Promise<unknown>;
  /** Organization and service that the settings name, if any. */
  scope(): Data;
  /** Names of this type's operations that were asked for, as {@link operationIn} writes them. */
  asked(): string[];
  /** Those of them that are more than a look. */
  changes(): string[];
  /** The requests of all types. */
  requests(): Sandbox["requests"];
  /** The name of an operation on what a program has in the second scope. */
  onSecond(operation: string): string;
  /** Fails unless these bodies, and no others, were sent to an operation, in any order. */
  expectSent(operation: string, ...expected: Data[]): void;
}

export type SuiteOf = (type: TypeName) => Suite;

export function suiteOf(stack: Stack, setup: Setup, type: TypeName): Suite {
  const isOfType = (step: { type: string }) => step.type.endsWith(`:${type}`);
  const ofType = operationsOf[type] ?? new RegExp(type);
  const asked = () => stack.asked().filter((operation) => ofType.test(operation));
  return {
    get sandbox() {
      return stack.sandbox;
    },
    get last() {
      return stack.last;
    },
    done() {
      const counted = ["create", "update", "replace", "delete", "same", "read"];
      const steps = stack.last.steps.filter((step) => isOfType(step) && counted.includes(step.op));
      return Object.fromEntries(steps.map(({ name, op, failed }) => [name, failed ? `${op} failed` : op]));
    },
    replaceKeys: (name) =>
      stack.last.steps.find((step) => isOfType(step) && step.name === name && step.op === "replace")
        ?.replaceKeys,
    id: (name, of = type) => stack.ids.get(`${of} ${name}`) ?? "",
    outputsOf: (name) => stack.outputsOf(name, type),
    exported: async () => (await stack.outputs())[type],
    scope() {
      const { organizationId, serviceId } = settingsOf(stack.sandbox);
      return organizationId ? { organizationId, serviceId } : {};
    },
    asked,
    changes: () => asked().filter((operation) => !/^(list|get|validate)/.test(operation)),
    requests: stack.requests,
    onSecond: (operation) =>
      setup.scopes.second.service === "secondServiceId" ? operation + onSecondService : operation,
    expectSent(operation, ...expected) {
      const names = stack.asked();
      const sent = stack
        .requests()
        .filter((_request, index) => names[index] === operation)
        .map(({ requestBody }) => requestBody as Data)
        .filter(({ name }) => !String(name).startsWith(auxiliary));
      expect(sent, operation).to.have.deep.members(expected.map(setup.inDialect));
    },
  };
}
