import { expect } from "chai";
import { secretsOf } from "../../provider/lifecycle/definition";
import { pick } from "../../provider/values/data";
import { inVirtualTime } from "../unit/api/virtualTime";
import { threeMinutesLater } from "../unit/drift/fixture";
import { withChange } from "../unit/resources/validInputs";
import { comparisonOf, usual } from "./comparison";
import { everyType } from "./everyType";
import { Managed } from "./managed";
import { leastOf } from "./variations";

everyType((own) => {
  const { type, noun, resource, example, setup, programs, created, record, writes, isValid } = own;
  const { inputs: schema, outputs, operations } = resource;
  const { annotationsAt, changesIn, driftAt, comparable, asked } = comparisonOf(own);
  const { createdBy = () => [operations.create], creatable } = example;

  it(`an update of ${noun} keeps properties that another client has added`, async () => {
    for (const { label: what, program, host } of programs().slice(0, 1)) {
      const [first] = changesIn(program);
      if (!first) return;
      const changed = withChange(program, first.path, first.value);
      const [name = ""] = first.path.split(/[.[]/);
      const least = leastOf(schema, program, isValid, name);
      const managed = await created(host, least);
      const other = managed.copy();
      await other.up(program);
      await managed.up({ ...least, [name]: changed[name] });
      const kept = await record(managed);
      await other.up(changed);
      expect(kept, what).to.deep.equal(await record(other));
    }
  });

  it(`an update of ${noun} keeps another client's changes of properties in ignoreChanges`, async () => {
    const [{ program } = { program: {} }] = programs();
    const changes = changesIn(program).filter(({ path }) => driftAt(path, program).length > 0);
    const [theirs, ours] = [changes[0], changes[Math.ceil(changes.length / 2)]];
    if (!theirs || !ours) return;
    const theirProgram = withChange(program, theirs.path, theirs.value);
    const managed = await created("the plugin", program);
    const other = managed.copy();
    await other.up(theirProgram);
    await managed.up(withChange(program, ours.path, ours.value), [theirs.path]);
    const kept = await record(managed);
    await other.up(withChange(theirProgram, ours.path, ours.value));
    expect(kept, `${theirs.path}, then ${ours.path}`).to.deep.equal(await record(other));
  });

  if (creatable)
    it(`a destroy deletes ${noun}, and succeeds if another client has deleted it`, async () => {
      for (const { program, host } of programs().slice(0, 2)) {
        const managed = await created(host, program);
        managed.messages.length = 0;
        await managed.destroy();
        expect(await record(managed)).to.deep.equal({});
        await threeMinutesLater(async () => {
          expect(await managed.copy().refresh()).to.equal(false);
          await managed.destroy();
        });
        expect(managed.messages.filter((text) => !usual.test(text))).to.deep.equal([]);
      }
    });

  if (creatable)
    it(`an update whose answer to the create of ${noun} is lost finds the object, or names it in an error`, async () => {
      for (const { program, host } of programs().slice(0, 2)) {
        await own.service.reset();
        await own.service.loseAnswer(operations.create);
        const managed = new Managed(type, host, own.service);
        const failure = await inVirtualTime(() => managed.up(program).catch(({ message }: Error) => message));
        expect(await asked()).to.deep.equal([operations.create]);
        // Outputs that only the answer to the create shows are lost with that answer, unless the program declares the secret
        // itself.
        if ("keySecret" in outputs.properties && !("hashData" in program)) {
          expect(failure).to.match(
            /delete it, since its keySecret is lost: \S+\. Yours may be none of these/,
          );
          continue;
        }
        expect(await record(managed)).to.include({ id: managed.id });
        expect(await managed.drift(program)).to.deep.equal([]);
      }
    });

  if ("adoptId" in schema.properties)
    it(`an update adopts ${noun} of another client, and gives it the declared values`, async () => {
      for (const { program, host } of programs().slice(0, 1)) {
        const [change] = changesIn(program);
        const { id } = await created(host, change ? withChange(program, change.path, change.value) : program);
        const managed = new Managed(type, host, own.service);
        await managed.up({ ...program, adoptId: id });
        expect(managed.id).to.equal(id);
        // Only an object that the service can change is made otherwise before.
        const isChanged = change !== undefined;
        expect(await asked()).to.deep.equal([operations.create, ...(isChanged ? [operations.update] : [])]);
        expect(await managed.drift({ ...program, adoptId: id })).to.deep.equal([]);
        expect(await managed.up(program)).to.deep.equal([]);
      }
    });

  it(`an import of ${noun} by its id gives inputs that create an equal object`, async () => {
    for (const { label: what, program } of programs().filter((each) => !each.label.includes("series"))) {
      // An import declares the roles of an API key by their ids, if the service shows these.
      const isSaidByIds = (name: string) =>
        type === "ApiKey" && setup.dialect === "clickhouse" && name === "roles";
      const isShown = (name: string) => !isSaidByIds(name) && driftAt(name, program).length > 0;
      // Answers may leave out the SSH tunnel of a pipe, which an import then lacks.
      const likeness = async (one: Managed): Promise<unknown> => {
        const shown = Object.entries(await record(one)).filter(([name]) => isShown(name));
        return JSON.parse(
          JSON.stringify(comparable(Object.fromEntries(shown)), (name, value) =>
            name === "sshKeyResourceId" ? undefined : value,
          ),
        );
      };
      const managed = await created("the plugin", program);
      const imported = new Managed(type, "the plugin", own.service);
      await imported.import(managed.id);
      expect(await imported.up(imported.inputs), what).to.deep.equal([]);
      expect(await writes(), what).to.have.length(createdBy(program, setup.dialect).length);
      const expected = await likeness(managed);
      // No answer shows some secrets, such as the credentials of a pipe, and the code of a function, so people have to declare them after an import.
      const hidden = secretsOf(resource).filter((name) => annotationsAt(name).shown === "never");
      const secrets = pick(program, [...hidden, "sourcePath"]);
      expect(
        await likeness(await created("the plugin", { ...imported.inputs, ...secrets })),
        what,
      ).to.deep.equal(expected);
    }
  });
});
