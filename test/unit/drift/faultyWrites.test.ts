import { expect } from "chai";
import { resources, type TypeName } from "../../../provider/resources/registry";
import { createSandbox, type Fault, type OperationName, type Sandbox } from "../../../sandbox/index";
import { useVirtualTime } from "../api/virtualTime";
import { furnish } from "../faults/furnish";
import { Service } from "../faults/service";
import { examples } from "../resources/examples";
import { Declared } from "./fixture";

/** The properties that the second program of an example changes. A scaling is waited for, which its own tests look at. */
const changed = {
  ApiKey: ["roles"],
  QueryEndpoint: ["allowedOrigins"],
  Dashboard: ["tiles"],
  Alert: ["threshold"],
  Webhook: ["description"],
} as const;
const types = Object.keys(changed) as (keyof typeof changed)[];
const listed = types.filter((type) => examples[type].creatable);
/** Of these the list is not the only witness, and two may have the same name. */
const shown = listed.filter((type) => resources[type].operations.get);

describe("Writes that the service ignores or shows late", () => {
  useVirtualTime();
  let sandbox: Sandbox;
  let service: Service;
  before(async () => {
    sandbox = await createSandbox();
  });
  beforeEach(async () => {
    await sandbox.faults.clear();
    await sandbox.reset();
    service = new Service(sandbox, {});
    furnish(service);
  });
  after(() => sandbox.close());

  type Step = "create" | "update" | "delete";
  const set = (type: TypeName, step: Step, fault: Pick<Fault, "kind" | "when" | "requests">) =>
    sandbox.faults.set([{ ...fault, operation: resources[type].operations[step] as OperationName, nth: 1 }]);
  const up = async (declared: Declared) => (await declared.up(service.session())).map(({ path }) => path);
  const refresh = (declared: Declared) => declared.refresh(service.session());

  async function created(type: TypeName, further = {}): Promise<Declared> {
    const declared = new Declared(type, { ...examples[type].programs(service)[0], ...further });
    await up(declared);
    return declared;
  }
  /** The object after its second program, with what users were told of it. */
  async function updated(declared: Declared) {
    const later = declared.changedTo(examples[declared.type].programs(service)[1]);
    service.told.length = 0;
    await up(later);
    return { later, told: [...service.told] };
  }
  /** Nothing is to be done any more, whatever has been answered meanwhile. */
  async function expectSettled(declared: Declared): Promise<void> {
    expect(await up(declared)).to.deep.equal([]);
    expect(await refresh(declared)).to.deep.equal([]);
  }

  for (const type of types) {
    const paths = changed[type];

    it(`names an ignored update by path, shows its drift in a refresh, and repairs it next time: ${type}`, async () => {
      const declared = await created(type);
      await set(type, "update", { kind: "ignored" });
      const { later, told } = await updated(declared);
      expect(told).to.have.length(paths.length);
      for (const [index, path] of paths.entries())
        expect(told[index]).to.match(
          new RegExp(`: the service still shows .+ for ${path}; run "pulumi refresh"`),
        );
      expect(await refresh(later)).to.deep.equal(paths);
      expect(await up(later)).to.deep.equal(paths);
      await expectSettled(later);
    });

    it(`says nothing of an update that a second look shows: ${type}`, async () => {
      const declared = await created(type);
      await set(type, "update", { kind: "stale", requests: 1 });
      const { later, told } = await updated(declared);
      expect(told).to.deep.equal([]);
      await expectSettled(later);
    });
  }

  for (const type of shown) {
    it(`shows an update as drift until the list has it, and keeps a created object meanwhile: ${type}`, async () => {
      const declared = await created(type);
      await set(type, "create", { kind: "stale-list", requests: 1000 });
      expect(await refresh(await created(type, { name: "Second" }))).to.deep.equal([]);
      await set(type, "update", { kind: "stale-list", requests: 1000 });
      const { later, told } = await updated(declared);
      expect(told).to.deep.equal([]);
      // A dashboard of which a list shows other tiles is asked for by itself.
      expect(await refresh(later)).to.deep.equal(type === "Dashboard" ? [] : changed[type]);
      await sandbox.faults.clear();
      expect(await refresh(later)).to.deep.equal([]);
      await expectSettled(later);
    });
  }

  for (const type of listed)
    it(`a refresh finds an object deleted although a list still has it: ${type}`, async () => {
      const declared = await created(type);
      // Lists may lack for a while what is new.
      Object.assign(declared.state, { createdAt: "2020-01-01T00:00:00.000Z" });
      await set(type, "delete", { kind: "stale-list", requests: 1000 });
      await declared.delete(service.session());
      expect(service.told).to.deep.equal([]);
      await sandbox.faults.clear();
      expect(await refresh(declared)).to.equal("gone");
    });
});
