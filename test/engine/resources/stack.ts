import { expect } from "chai";
import { resolveSettings } from "../../../provider/api/settings";
import { check, supportedPart } from "../../../provider/lifecycle/check";
import { isServed, isSingleton } from "../../../provider/lifecycle/definition";
import { Session } from "../../../provider/lifecycle/session";
import { resources, type TypeName } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { annotationsOf, schemaAt } from "../../../provider/values/schema";
import type { Rewrite } from "../../../sandbox/index";
import type { Setup } from "../../life/server";
import { changesOf } from "../../life/variations";
import { settingVariables } from "../../pipestackCommand";
import { judgedTypes } from "../../promises/kinds";
import { settingsOf } from "../../serviceContents";
import { Service } from "../../unit/faults/faultyService";
import { furnish } from "../../unit/faults/furnish";
import type { JsonObject } from "../../unit/resources/example";
import { examples } from "../../unit/resources/examples";
import { withChange } from "../../unit/resources/validInputs";
import { useFixture } from "../fixture";
import { type Host, hostUnlessTold } from "../pluginHost";

/** Milliseconds after which an object is old enough for the provider to believe that it is gone. */
const recentMilliseconds = 200_000;

/** Returns the ids of two objects that somebody else has created: the tested stack adopts one, and only reads the other. */
const idsOf = (id: string) => ({ adopted: `${id.slice(0, -2)}c1`, other: `${id.slice(0, -2)}c2` });

/** A resource of the tested stack, with its arguments at first and after a change. */
interface Declared {
  readonly type: TypeName;
  readonly name: string;
  readonly first: JsonObject;
  readonly then: JsonObject;
  readonly changed: string;
}

/**
 * Defines tests of a stack with the complete example programs of all resource types in the neutral API document. Types that
 * only ClickHouse Cloud has are left out; the tests of the examples and languages/everything.test.ts have them.
 */
export function testStack(title: string, setup: Setup, named: Host, rewrites: readonly Rewrite[] = []): void {
  const { dialect, apis } = setup;
  const host = hostUnlessTold(named);

  describe(`A stack with resources of every type, served by ${title}`, () => {
    const fixture = useFixture({
      host,
      judged: "withoutContents",
      sandbox: { dialect, apis, rewrites: [...rewrites] },
    });
    const further = { dialect, requestsPerSecond: "1000" };
    let declared: Declared[];
    let after: Map<string, PropertyMap>;
    let forgotten = 0;

    const sent = () => fixture.sandbox.requests.slice(forgotten);
    const asked = () => sent().map(({ operation, path }) => operation ?? path);
    const changes = () => asked().filter((name) => !/^(list|get|validate)|^\//.test(name));
    const types = () => [...new Set(declared.map(({ type }) => type))];
    const adoptable = () => types().filter((type) => examples[type].creatable);
    const code = (type: TypeName, name: string, args: object) =>
      `new ${type}(${JSON.stringify(name)}, ${JSON.stringify(args)});\n`;
    const program = (version: "first" | "then") =>
      declared.map((one) => code(one.type, one.name, one[version])).join("") +
      adoptable()
        .map((type) => {
          const { adopted, other } = idsOf(examples[type].creatable?.id ?? "");
          const first = declared.find((one) => one.type === type)?.first;
          const args = { ...first, name: `adopted ${type}`, adoptId: adopted };
          const read = version === "then" ? `${type}.get("other ${type}", "${other}");\n` : "";
          return code(type, `adopted ${type}`, args) + read;
        })
        .join("");
    async function ids(): Promise<Map<string, string>> {
      const { resources: kept = [] } = (await fixture.exportState()).deployment;
      return new Map(kept.map(({ urn, id = "" }) => [urn.slice(urn.lastIndexOf("::") + 2), id]));
    }
    async function records(): Promise<Map<string, PropertyMap>> {
      const known = await ids();
      return new Map(
        declared.map(({ type, name }) => {
          const found = examples[type].find(fixture.sandbox, known.get(name) ?? "");
          return [name, found as unknown as PropertyMap];
        }),
      );
    }
    const opsOf = (steps: readonly { name: string; op: string }[], op: string) =>
      steps.filter((step) => step.op === op).map(({ name }) => name);
    const names = () => declared.map(({ name }) => name);
    const namesOfAdopted = () => adoptable().map((type) => `adopted ${type}`);

    before(() => {
      const { sandbox, environment } = fixture;
      Object.assign(environment, settingVariables(further));
      furnish(new Service(sandbox, {}));
      const settings: Record<string, string> = { ...settingsOf(sandbox), ...further };
      const session = new Session(() => resolveSettings([(name) => settings[name]]), {
        warn: () => undefined,
        info: () => undefined,
      });
      declared = judgedTypes.flatMap((type) => declaredOf(type, setup, session));
      for (const type of adoptable()) {
        const { creatable } = examples[type];
        const { adopted, other } = idsOf(creatable?.id ?? "");
        for (const id of [adopted, other]) creatable?.add(new Service(sandbox, {}), id);
        for (const [id, name] of [
          [adopted, `former ${type}`],
          [other, `other ${type}`],
        ] as const)
          Object.assign(examples[type].find(sandbox, id) ?? {}, { name });
      }
    });
    beforeEach(() => {
      forgotten = fixture.sandbox.requests.length;
    });
    it("the first update sends one request for each resource that it creates or adopts", async () => {
      const { steps } = await fixture.apply(program("first"));
      expect(opsOf(steps, "create")).to.have.members([...names(), ...namesOfAdopted()]);
      const expected = declared.flatMap<string>(
        ({ type, first }) =>
          examples[type].createdBy?.(first, dialect) ?? [resources[type].operations.create],
      );
      const updates = adoptable().map((type) => resources[type].operations.update);
      expect(changes()).to.have.members([...expected, ...updates]);
    });

    it("a new stack with resources of every type shows no change and no drift", async () => {
      await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
    });

    it("an update changes each resource in place by one request", async () => {
      fixture.pass(recentMilliseconds);
      const [before, known] = [await records(), await ids()];
      const copies = new Map([...before].map(([name, record]) => [name, structuredClone(record)]));
      const { steps } = await fixture.apply(program("then"));
      expect(opsOf(steps, "update")).to.have.members(names());
      expect(opsOf(steps, "same")).to.have.members(namesOfAdopted());
      expect(changes()).to.have.length(declared.length);
      const now = await ids();
      expect(names().map((name) => now.get(name))).to.deep.equal(names().map((name) => known.get(name)));
      for (const [name, record] of await records()) expect(record, name).to.not.deep.equal(copies.get(name));
      // The test keeps the updated records, and gives the records in the service the values from before the update. To the
      // provider this is a change by another client.
      after = new Map();
      for (const [name, record] of await records()) {
        after.set(name, structuredClone(record));
        for (const member of Object.keys(record)) delete (record as { [member: string]: unknown })[member];
        Object.assign(record, copies.get(name));
      }
    });

    it("a preview shows changes of another client by property and exit code", async () => {
      const args = ["--refresh", "--expect-no-changes", "--diff"];
      const { output } = await fixture.preview({ args, expect: 7 });
      const parts = output.split(/^ {4}[~+-] .*: \((?:update|refresh|create)\)$/m);
      for (const { name, changed } of declared) {
        const shown = parts.filter((part) => part.includes(`::${name}]`)).join("\n");
        expect(shown, name).to.match(new RegExp(`[~+-] ${changed}\\b`));
      }
      expect(changes()).to.deep.equal([]);
    });

    it("an update with a refresh reverts changes of another client", async () => {
      await fixture.up({ args: ["--refresh"] });
      expect(changes()).to.have.length(declared.length);
      for (const [name, record] of await records())
        expect(told(record), name).to.deep.equal(told(after.get(name) ?? {}));
    });

    it("an update creates objects again that another client has deleted", async () => {
      const known = await ids();
      const gone = adoptable().flatMap((type) => declared.filter((one) => one.type === type).slice(0, 1));
      for (const { type, name } of gone) remove(type, known.get(name) ?? "");
      const { steps } = await fixture.up({ args: ["--refresh"] });
      expect(opsOf(steps, "create")).to.include.members(gone.map(({ name }) => name));
    });

    it("an update prints one clear error for each resource that the service refuses or does not have", async () => {
      const { faults } = fixture.sandbox;
      const operations = adoptable().map((type) => resources[type].operations.create);
      await faults.set(operations.map((operation) => ({ kind: "400" as const, operation, nth: 1 })));
      const first = (type: TypeName) => declared.find((one) => one.type === type)?.first ?? {};
      const missing = (type: TypeName) => `${examples[type].creatable?.id.slice(0, -2)}ff`;
      const failing = adoptable()
        .map(
          (type) =>
            code(type, `refused ${type}`, { ...first(type), name: `refused ${type}` }) +
            code(type, `adopts ${type}`, { ...first(type), name: "none", adoptId: missing(type) }) +
            `${type}.get("missing ${type}", "${missing(type)}");\n`,
        )
        .join("");
      const { output } = await fixture.apply(program("then") + failing, {
        args: ["--continue-on-error"],
        expect: "failure",
        environment: settingVariables({ validateDashboards: "false" }),
      });
      await faults.clear();
      for (const type of adoptable()) {
        const { noun, operations: own } = resources[type];
        expectError(output, type, `refused ${type}`, new RegExp(`\\(${own.create}: POST /\\S+ answered 400`));
        expectError(output, type, `adopts ${type}`, `has no ${noun} ${missing(type)}`);
        expectError(output, type, `missing ${type}`, `${type} ${missing(type)} does not exist`);
      }
      expect(changes()).to.have.members(operations);
    });

    it("destroy succeeds although some objects of the stack no longer exist", async () => {
      fixture.pass(2 * recentMilliseconds);
      const known = await ids();
      for (const type of adoptable())
        remove(type, known.get(declared.find((one) => one.type === type)?.name ?? "") ?? "");
      await fixture.destroy();
      expect((await fixture.exportState()).deployment.resources).to.equal(undefined);
    });

    function remove(type: TypeName, id: string): void {
      const found = examples[type].find(fixture.sandbox, id);
      for (const collection of Object.values(fixture.sandbox.store))
        if (collection instanceof Map && collection.get(id) === found) collection.delete(id);
    }
  });
}

/**
 * Makes resources of a type from its example programs with all properties that the tested servers support, each with one
 * changed value.
 */
function declaredOf(type: TypeName, { dialect, apis }: Setup, session: Session): Declared[] {
  const resource = resources[type];
  const { wholes, needs = {}, alternatives: others, shownAt = (path) => path } = examples[type];
  if (!isServed(resource, session) || (apis === "observability" && resource.scope !== "observability"))
    return [];
  const isValid = (program: PropertyMap) => check(resource, {}, program, session).failures.length === 0;
  const found = Object.entries(wholes).flatMap(([what, whole], at): Declared[] => {
    const isTaken = Object.entries(needs[what] ?? {}).every(
      ([name, value]) => ({ dialect, apis })[name as "apis"] === value,
    );
    const first = supportedPart(resource.inputs, JSON.parse(JSON.stringify(whole)), session) as JsonObject;
    if (!isTaken || !isValid(first)) return [];
    const changes = changesOf(resource.inputs, first, isValid, others).filter(
      ({ path }) =>
        annotationsOf(schemaAt(resource.inputs, path.split(/[.[]/)[0] ?? "")).shown !== "never" &&
        shownAt(path, first, dialect) === path,
    );
    const change = changes[at % changes.length];
    if (!change) return [];
    const then = withChange(first, change.path, change.value);
    return [{ type, name: `${type} ${what}`, first, then, changed: change.path.split(/[.[]/)[0] ?? "" }];
  });
  // A service has only one object of a singleton type, so the test uses only one of the example programs.
  return isSingleton(resource) ? found.slice(0, 1) : found;
}

/** Removes from a record of the sandbox its empty properties and the properties that change by themselves. */
const told = (record: PropertyMap): unknown =>
  JSON.parse(
    JSON.stringify(record, (name, value) =>
      name === "updatedAt" || name === "usedAt" || (name !== "" && (!value || String(value) === ""))
        ? undefined
        : value,
    ),
  );

/** Fails unless the CLI shows exactly one message about the resource, which is the given one. */
function expectError(output: string, type: TypeName, name: string, message: string | RegExp): void {
  const [, text = ""] =
    new RegExp(`^ {2}\\S+:${type} \\(${name}\\):\\n((?: {4}.*\\n)*)`, "m").exec(output) ?? [];
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    // The CLI prints the provider's warnings about a resource together with its errors. The test only checks the errors, so it
    // leaves out the warnings.
    .filter((line) => line !== "" && !line.startsWith("warning: "));
  expect(lines, `${name} in ${output}`).to.have.length(1);
  if (typeof message === "string") expect(lines[0]).to.include(message);
  else expect(lines[0]).to.match(message);
}
