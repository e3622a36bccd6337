import { expect } from "chai";
import { unknownText } from "../../provider/engine/engineValues";
import { isSingleton, secretsOf } from "../../provider/lifecycle/definition";
import { isObject, type PropertyMap, pick } from "../../provider/values/data";
import { valueAt } from "../../provider/values/pairing";
import { joinPath, keysIn } from "../../provider/values/schema";
import { rewriteNames } from "../../sandbox/index";
import { withoutSecrets } from "../simulation/actors/secrets";
import { pathsIn, withChange } from "../unit/resources/validInputs";
import { comparisonOf, telling, usual } from "./comparison";
import { everyType, journaled } from "./everyType";
import { Managed } from "./managed";
import { withNullEntries } from "./nullEntries";
import { batchesOf, changesOf, leastOf, reductionsOf } from "./variations";

everyType((own, place) => {
  const { type, noun, resource, example, setup, programs, created, record, writes, isValid } = own;
  const { inputs: schema, operations } = resource;
  const { triedBy, changesIn, annotationsAt, driftAt, comparable, expectImport, expectNoSecrets, asked } =
    comparisonOf(own);
  /** Whether an update sends a property since these paths have changed, or beside any change. */
  const isSentFor = (paths: readonly string[], leaf: string) =>
    paths.some((path) => path.startsWith(leaf) || leaf.startsWith(path)) ||
    example.isSentBeside?.(leaf, paths);
  const {
    bodyOf: sent = (program) => program,
    createdBy = () => [operations.create],
    alternatives: others,
  } = example;

  it(`an update creates ${noun} exactly as declared`, async () => {
    for (const { label: what, program, host } of programs()) {
      const managed = await created(host, program);
      const [{ requestBody } = {}] = await writes();
      const creation = createdBy(program, setup.dialect);
      expect(await asked(), what).to.deep.equal(creation);
      const body = sent(program, setup.dialect);
      const made = (example.made ?? []).filter((name) => !(name in body));
      expect(without(requestBody, made), what).to.deep.equal(journaled(body, requestBody));
      const secrets = secretsOf(resource);
      const plain = Object.entries(managed.state).filter(([name]) => !secrets.includes(name));
      expectNoSecrets(program, { [`the state of ${what}`]: JSON.stringify(plain) });
      expect(await managed.up(program), what).to.deep.equal([]);
      expect(await managed.drift(program), what).to.deep.equal([]);
      expect(await writes(), what).to.have.length(creation.length);
      expect(
        managed.messages.filter((text) => !usual.test(text)),
        what,
      ).to.deep.equal([]);
      await expectImport(managed, what);
    }
  });

  if (own.newer.length > 0)
    it(`a preview refuses each program of ${noun} that needs a newer server`, async () => {
      for (const [what, program] of own.newer) {
        const managed = new Managed(type, own.hostOf(place), own.service);
        const failure = await managed.preview(program).catch((error: Error) => error.message);
        expect(failure, what).to.match(
          /needs ClickStack 2\.\d+ or newer; the server at http:\S+ has 2\.36\.0/,
        );
        expect(await writes(), what).to.deep.equal([]);
      }
    });

  if (example.equivalents)
    it(`a program of ${noun} that writes the same values in another form causes no change`, async () => {
      for (const { label: what, program, host } of programs()) {
        const managed = await created(host, program);
        const words = pick(example.equivalents?.[what] ?? {}, Object.keys(program));
        const equivalent = { ...program, ...words };
        expect(await managed.up(equivalent), what).to.deep.equal([]);
        expect(await writes(), what).to.have.length(createdBy(program, setup.dialect).length);
      }
    });

  it(`an update sets each changed or drifted property of ${noun} in place`, async () => {
    const tried = triedBy("change");
    for (const { label: what, program, host } of programs().filter(({ isHome }) => isHome)) {
      const managed = await created(host, program);
      const before = telling(await record(managed));
      const changes = changesIn(program).filter(({ path }) => !tried.has(path));
      for (const { paths, program: next } of batchesOf(program, changes, isValid)) {
        for (const path of paths) tried.add(path);
        const [other, where] = [managed.copy(), `${paths.join(", ")} of ${what} in ${host}`];
        expect(await other.up(next), where).to.have.members(placesOf(managed, paths));
        const { operation, requestBody } = (await writes()).at(-1) ?? {};
        const body = comparable(journaled(sent(next, setup.dialect), requestBody) as PropertyMap);
        const ofUpdates = Object.keys(body).filter((name) => annotationsAt(name).sent !== "atCreation");
        if (!example.isUpdatedInParts)
          expect(comparable(requestBody as PropertyMap), where).to.deep.include(pick(body, ofUpdates));
        if (example.isSentBeside && operation === operations.update)
          expect(
            leavesOf(requestBody).filter((leaf) => !isSentFor(paths, leaf)),
            where,
          ).to.deep.equal([]);
        const drift = paths.flatMap((path) => driftAt(path, program));
        // What a real server does not show, such as a secret, cannot be seen to have changed there.
        if (!own.isReal || (drift.length > 0 && !paths.some((path) => annotationsAt(path).secret)))
          expect(telling(await record(other)), where).to.not.deep.equal(before);
        expect(await other.drift(next), where).to.deep.equal([]);
        await managed.refresh();
        expect(await managed.up(program), where).to.have.members(placesOf(managed, drift));
        if (drift.length === 0) await other.up(program);
        expect(telling(await record(managed)), where).to.deep.equal(before);
      }
    }
  });

  it(`a refresh of ${noun} passes over nulls among the entries of its lists`, async () => {
    for (const { label: what, program, host } of programs()) {
      const managed = await created(host, program);
      expect(await withNullEntries(() => managed.drift(program)), what).to.deep.equal([]);
    }
  });

  // The rewrite laggingScaling is left out, since it has its own tests. The rewrite numbersAsStrings is only tested in the
  // dialect `neutral`, since ClickHouse Cloud never shows numbers as text.
  const forms = rewriteNames.filter(
    (name) => name !== "laggingScaling" && (setup.dialect === "neutral" || name !== "numbersAsStrings"),
  );
  const withoutConfig = forms.filter((name) => name !== "seriesAsConfig");
  const spoken = Object.entries({
    ...(own.isReal || setup.version ? {} : { "newer servers": forms }),
    ...(setup.dialect === "neutral" ? { "the API document": withoutConfig } : {}),
  });
  for (const [form, names] of spoken)
    it(`${noun} is recognized in rewritten answers of the service (${form})`, async () => {
      const { rewrites = new Set() } = own.service;
      for (const { label, program, host, isHome } of programs()) {
        await own.service.reset();
        const answerInOtherWords = () => {
          for (const name of names) rewrites.add(name);
        };
        answerInOtherWords();
        const managed = new Managed(type, host, own.service);
        await managed.up(program);
        expect(await managed.drift(program), label).to.deep.equal([]);
        // A dashboard filter by labels needs a data source of one kind, so the test does not change `sourceId`.
        const changes = isHome ? changesIn(program) : [];
        const free = changes.filter(({ path }) => !path.endsWith("sourceId"));
        for (const { paths, program: next } of batchesOf(program, free, isValid).slice(0, 1)) {
          const [other, where] = [managed.copy(), `${paths.join(", ")} of ${label} in ${host}`];
          await other.up(next);
          const drift = paths.flatMap((path) => driftAt(path, program));
          expect(await managed.drift(program), where).to.have.members(placesOf(managed, drift));
          await (drift.length > 0 ? managed : other).up(program);
          rewrites.clear();
          expect(await managed.drift(program), where).to.deep.equal([]);
          answerInOtherWords();
        }
        // In a dashboard a text may be correct where a number is expected, such as the value of a rule for colours. So an
        // import must not get numbers as texts from the service.
        if (type === "Dashboard") rewrites.delete("numbersAsStrings");
        const imported = new Managed(type, "the plugin", own.service);
        await imported.import(managed.id);
        expect(await imported.up(imported.inputs), label).to.deep.equal([]);
      }
    });

  it(`a preview replaces ${noun} for each property that an update cannot change`, async () => {
    const tried = triedBy("replacement");
    const scope = "11111111-1111-4111-8111-111111111111";
    for (const { label: what, program, host } of programs().filter(({ isHome }) => isHome)) {
      const local = { keepers: { generation: "1" }, allowReplacement: true, hashData: undefined };
      const declared = JSON.parse(
        JSON.stringify(pick({ ...program, ...local }, Object.keys(schema.properties))),
      );
      const changes = [
        ...changesOf(schema, declared, isValid, others, true),
        ...["organizationId", "serviceId"].map((path) => ({ path, value: scope })),
        { path: "keepers.generation", value: "2" },
      ].filter(({ path }) => !tried.has(path));
      if (changes.length === 0) continue;
      const managed = await created(host, declared);
      for (const { path, value } of changes) {
        tried.add(path);
        if (!(`${keysIn(path)[0]}` in managed.inputs)) continue;
        const { paths, replaces } = await managed.preview(withChange(declared, path, value));
        const place = managed.placeOf(path);
        expect([paths, placesOf(managed, replaces)], `${path} of ${what} in ${host}`).to.deep.equal([
          [place],
          [place],
        ]);
      }
    }
  });

  if (schema.properties.onDestroy && isSingleton(resource))
    it(`a destroy of ${noun} with onDestroy restore brings back what somebody had set`, async () => {
      for (const { label: what, program, host } of programs()) {
        const [change] = changesIn(program);
        const restoring = { ...program, onDestroy: "restore" };
        if (!change || !isValid(restoring)) continue;
        const had = await record(await created(host, withChange(program, change.path, change.value)));
        const managed = new Managed(type, host, own.service);
        await managed.up(restoring);
        expect(await record(managed), what).to.not.deep.equal(had);
        await managed.destroy();
        expect(telling(await record(managed)), what).to.deep.equal(telling(had));
      }
    });

  it(`no property removed from the program of ${noun} is kept without a warning`, async () => {
    for (const { label: what, program, host } of programs().filter(({ isHome }) => isHome)) {
      const least = { path: "", program: leastOf(schema, program, isValid) };
      for (const { path, program: reduced } of [...reductionsOf(schema, program, isValid), least]) {
        const where = `${path || "all"} of ${what} in ${host}`;
        const isReset = Object.keys(program).some(
          (name) => !(name in reduced) && annotationsAt(name).reset !== undefined,
        );
        const fresh =
          operations.delete || isReset ? comparable(await record(await created(host, reduced))) : undefined;
        const managed = await created(host, program);
        const before = await record(managed);
        const keeps = () => managed.messages.splice(0).filter((text) => text.includes("keeps its "));
        await managed.preview(reduced);
        const previewed = keeps();
        await managed.up(reduced);
        const { reset, secret } = path.includes(".") ? {} : annotationsAt(path);
        const { requestBody } = (await writes()).at(-1) ?? {};
        // Servers of the product refuse null for some properties, and reset them if the request omits them.
        const isOmitted =
          reset === null &&
          setup.dialect === "clickhouse" &&
          valueAt(requestBody, keysIn(path)) === undefined;
        if (reset !== undefined && !secret && !isOmitted && !example.isUpdatedInParts)
          expect(requestBody, where).to.have.deep.property(path, reset);
        const told = keeps();
        // Some server versions keep a property that an update omits. The preview cannot know that, so only the update warns.
        const isOpen = (text: string) => annotationsAt(path).keptBySome !== undefined && text.includes(path);
        expect(previewed, where).to.deep.equal(
          path === "" ? previewed : told.filter((text) => !isOpen(text)),
        );
        const isKept = told.some((text) => text.includes(`keeps its ${path}`));
        if (path === "" && isKept) continue;
        if (isKept || !fresh) expect(telling(await record(managed)), where).to.deep.equal(telling(before));
        else expect(comparable(await record(managed)), where).to.deep.equal(fresh);
        expect(await managed.drift(reduced), where).to.deep.equal([]);
        if (path === "") await expectImport(managed, where);
      }
    }
  });

  it(`a preview shows each property of ${noun} with an unknown value as a change`, async () => {
    const tried = triedBy("unknown");
    for (const { label: what, program, host } of programs().filter(({ isHome }) => isHome)) {
      const managed = await created(host, program);
      const untried = pathsIn(program).filter((path) => !tried.has(path));
      const changes = untried.map((path) => ({ path, value: unknownText }));
      for (const { paths: unknown, program: next } of batchesOf(program, changes)) {
        for (const path of unknown) tried.add(path);
        const { inputs, paths } = await managed.preview(next);
        const where = `${unknown.join(", ")} of ${what} in ${host}`;
        for (const path of unknown)
          expect(valueAt(withoutSecrets(inputs), keysIn(path)), where).to.equal(unknownText);
        const shown = placesOf(managed, unknown).map((place) =>
          paths.filter((path) => place.startsWith(path)),
        );
        expect(shown, where).to.satisfy(() => shown.every((found) => found.length === 1));
        expect([...new Set(shown.flat())], where).to.have.members(paths);
      }
      expect(await writes(), what).to.have.length(createdBy(program, setup.dialect).length);
    }
  });
});

const without = (body: unknown, names: readonly string[]): unknown =>
  isObject(body) ? Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name))) : body;

/** Returns the property paths of the values in a request body. A list is one value. */
function leavesOf(value: unknown, path = ""): string[] {
  if (!isObject(value)) return [path];
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, joinPath(path, name)));
}

/** Returns the property paths that the previews of a host show if the values at these paths have changed. */
function placesOf(managed: Managed, paths: readonly string[]): string[] {
  return [...new Set(paths.map((path) => managed.placeOf(path)))];
}
