import { expect } from "chai";
import { resources, type TypeName } from "../../../provider/resources/registry";
import { createSandbox, type Fault, type OperationName, type Sandbox } from "../../../sandbox/index";
import { useVirtualTime } from "../api/virtualTime";
import { furnish } from "../faults/furnish";
import { Service } from "../faults/service";
import { examples } from "../resources/examples";
import { Declared } from "./fixture";

/** A scaling is waited for, which its own tests look at. */
const types = ["ApiKey", "QueryEndpoint", "Dashboard", "Alert", "Webhook"] as const;
const listed = types.filter((type) => examples[type].creatable);
/** Of these the list is not the only witness, and two may have the same name. */
const shown = listed.filter((type) => resources[type].operations.get);

/** What of an object the second program of its example changes, as a report of drift names it. */
const changed: { readonly [Type in TypeName]?: readonly string[] } = {
  ApiKey: ["roles"],
  QueryEndpoint: ["allowedOrigins"],
  Dashboard: ["tiles"],
  Alert: ["threshold"],
  Webhook: ["description"],
};

describe("a write that the service does not carry out, or not for all to see", () => {
  useVirtualTime();
  const open: Sandbox[] = [];
  afterEach(() => Promise.all(open.splice(0).map((sandbox) => sandbox.close())));

  /** An object of the first program of its type, on a service of its own. */
  async function created(type: TypeName) {
    const sandbox = await createSandbox();
    open.push(sandbox);
    const service = new Service(sandbox, {});
    furnish(service);
    const [program, next] = examples[type].programs(service);
    const declared = new Declared(type, program);
    await declared.up(service.session());
    return { service, declared, next, ...resources[type].operations };
  }
  type Case = Awaited<ReturnType<typeof created>>;

  const set = ({ service }: Case, fault: Pick<Fault, "kind" | "when" | "requests">, operation: string) =>
    service.sandbox.faults.set([{ ...fault, operation: operation as OperationName, nth: 1 }]);

  /** Lets the second program be applied; returns what users were told of it. */
  async function changing({ service, declared, next }: Case) {
    const { id, state, inputs, type } = declared;
    const later = Object.assign(new Declared(type, next), { id, state, inputs });
    service.told.length = 0;
    await later.up(service.session());
    return { later, told: [...service.told] };
  }

  /** Nothing is to be done any more, whatever has been answered meanwhile. */
  async function settled({ service }: Case, later: Declared) {
    expect(await later.up(service.session())).to.deep.equal([]);
    expect(await later.refresh(service.session())).to.deep.equal([]);
  }

  const inAll = (chosen: readonly TypeName[], check: (each: Case, type: TypeName) => Promise<void>) =>
    Promise.all(chosen.map(async (type) => check(await created(type), type)));

  it("ignored: the update says so by path, a refresh shows it, and the next update repairs it", () =>
    inAll(types, async (each, type) => {
      await set(each, { kind: "ignored" }, each.update);
      const { later, told } = await changing(each);
      const paths = changed[type] ?? [];
      expect(told).to.have.length(paths.length);
      for (const [index, path] of paths.entries())
        expect(told[index])
          .to.match(/: the service still answers .+ for .+; the next refresh tells/)
          .and.include(` for ${path};`);
      expect(await later.refresh(each.service.session())).to.deep.equal(paths);
      expect((await later.up(each.service.session())).map(({ path }) => path)).to.deep.equal(paths);
      await settled(each, later);
    }));

  it("stale: the update says so by path, and a refresh that sees the new value is clean", () =>
    inAll(types, async (each, type) => {
      await set(each, { kind: "stale", requests: 1000 }, each.update);
      const { later, told } = await changing(each);
      expect(told).to.have.length(changed[type]?.length ?? 0);
      expect(await later.refresh(each.service.session())).to.deep.equal(changed[type]);
      await each.service.sandbox.faults.clear();
      expect(await later.refresh(each.service.session())).to.deep.equal([]);
      await settled(each, later);
    }));

  it("stale for a moment: a second look shows the new value, and nobody hears of it", () =>
    inAll(types, async (each) => {
      await set(each, { kind: "stale", requests: 1 }, each.update);
      const { later, told } = await changing(each);
      expect(told).to.deep.equal([]);
      await settled(each, later);
    }));

  it("in no list yet: what was changed is drift until the list shows it, and what was created stays in the state", () =>
    inAll(shown, async (each, type) => {
      await set(each, { kind: "stale-list", requests: 1000 }, each.create);
      const second = new Declared(type, { ...each.declared.program, name: "Second" });
      await second.up(each.service.session());
      expect(await second.refresh(each.service.session())).to.deep.equal([]);
      await set(each, { kind: "stale-list", requests: 1000 }, each.update);
      const { later, told } = await changing(each);
      expect(told).to.deep.equal([]);
      // A dashboard of which a list shows other tiles is asked for by itself.
      const drift = type === "Dashboard" ? [] : changed[type];
      expect(await later.refresh(each.service.session())).to.deep.equal(drift);
      await each.service.sandbox.faults.clear();
      expect(await later.refresh(each.service.session())).to.deep.equal([]);
      await settled(each, later);
    }));

  it("in a list still: what was deleted is deleted, and a refresh of it says that it is gone", () =>
    inAll(listed, async (each) => {
      // Lists may lack for a while what is new.
      Object.assign(each.declared.state, { createdAt: "2020-01-01T00:00:00.000Z" });
      await set(each, { kind: "stale-list", requests: 1000 }, each.delete ?? "");
      await each.declared.delete(each.service.session());
      expect(each.service.told).to.deep.equal([]);
      await each.service.sandbox.faults.clear();
      expect(await each.declared.refresh(each.service.session())).to.equal("gone");
    }));

  it("carried out late: an update that was repeated has done nothing twice, and a create that was warns of the other", () =>
    inAll(shown, async (each, type) => {
      await set(each, { kind: "503", when: "later", requests: 1 }, each.update);
      const { later, told } = await changing(each);
      expect(told).to.deep.equal([]);
      await settled(each, later);
      each.service.remember();
      await set(each, { kind: "503", when: "later", requests: 1 }, each.create);
      const second = new Declared(type, { ...each.declared.program, name: "Second" });
      await second.up(each.service.session());
      expect(each.service.added).to.have.length(2).and.to.include(second.id);
      expect(each.service.told).to.have.length(1);
      expect(each.service.told[0]).to.match(
        /^a failed request may have created an? .+ named "Second" .+, or may still do so; after the update, npx pipestack orphans lists it$/,
      );
    }));

  it("carried out late: a create whose repetition is refused for that is found", () =>
    inAll(["Webhook"], async (each) => {
      each.service.remember();
      await set(each, { kind: "503", when: "later", requests: 1 }, each.create);
      const second = new Declared("Webhook", { ...each.declared.program, name: "Second" });
      await second.up(each.service.session());
      expect(each.service.added).to.deep.equal([second.id]);
      // The first one is the warning of the repetition.
      expect(each.service.told.slice(1)).to.deep.equal([
        `webhook ${second.id} was created although the answer was lost; it is now in the state`,
      ]);
      await settled(each, second);
    }));
});
