import { expect } from "chai";
import type { Fault } from "../../sandbox/index";
import { Client, useSandbox } from "./requests";

async function statuses(client: Client, count: number): Promise<number[]> {
  const all: number[] = [];
  while (all.length < count) all.push((await client.service("GET", "/stack/alerts")).status);
  return all;
}

describe("The calls that a fault of the sandbox affects", () => {
  const client = useSandbox();
  const { faults } = client.sandbox;
  const set = (...all: Fault[]) => faults.set(all);
  const ofAlerts = { kind: "409", operation: "listAlerts" } as const;
  const counts = () => faults.list().map(({ matched, injected }) => [matched, injected]);

  it("a fault affects all calls of its operation on both APIs, and no others", async () => {
    await set(ofAlerts);
    expect(await statuses(client, 2)).to.deep.equal([409, 409]);
    expect((await client.observability("GET", "/alerts")).status).to.equal(409);
    expect((await client.service("GET", "/stack/dashboards")).status).to.equal(200);
    expect((await client.service("GET", `/stack/alerts/${"0".repeat(24)}`)).status).to.equal(404);
  });

  it("a fault affects only the calls of the API that it names", async () => {
    await set({ ...ofAlerts, api: "observability" });
    expect(await statuses(client, 1)).to.deep.equal([200]);
    expect((await client.observability("GET", "/alerts")).status).to.equal(409);
  });

  it("a fault of the operation * affects any call, even one without a route or credentials", async () => {
    await set({ kind: "409", operation: "*" });
    expect(await statuses(client, 1)).to.deep.equal([409]);
    expect((await client.ask("management", "GET", "/nothing")).status).to.equal(409);
  });

  const ranges: readonly [title: string, range: Partial<Fault>, expected: number[]][] = [
    ["only the nth call", { nth: 2 }, [200, 409, 200, 200]],
    ["the calls of a range, both ends included", { from: 2, to: 3 }, [200, 409, 409, 200]],
    ["all calls from a number on", { from: 3 }, [200, 200, 409, 409]],
    ["all calls up to a number", { to: 2 }, [409, 409, 200, 200]],
    ["no call with a probability of 0", { probability: 0 }, [200, 200, 200, 200]],
    ["the nth call with a probability of 1", { probability: 1, nth: 2 }, [200, 409, 200, 200]],
  ];
  for (const [title, range, expected] of ranges)
    it(`of the calls since it was set, a fault affects ${title}`, async () => {
      await statuses(client, 2);
      await set({ ...ofAlerts, ...range });
      expect(await statuses(client, 4)).to.deep.equal(expected);
    });

  it("a fault with a probability affects calls at random, the same ones for the same seed", async () => {
    const fault: Fault = { ...ofAlerts, probability: 0.3, seed: 7 };
    await set(fault);
    const first = await statuses(client, 200);
    await set(fault);
    expect(await statuses(client, 200)).to.deep.equal(first);
    await set({ ...fault, seed: 8 });
    expect(await statuses(client, 200)).to.not.deep.equal(first);
    expect(first.filter((status) => status === 409).length).to.be.within(40, 80);
  });

  it("several faults that match a call all count it, and the one that was set first affects it", async () => {
    await set(
      { ...ofAlerts, nth: 1 },
      { kind: "403", operation: "*", to: 2 },
      { kind: "400", operation: "listAlerts", nth: 3 },
    );
    expect(await statuses(client, 4)).to.deep.equal([409, 403, 400, 200]);
    expect(counts()).to.deep.equal([
      [4, 1],
      [4, 1],
      [4, 1],
    ]);
  });

  it("faults of a sandbox can be added and cleared one by one, and listed", async () => {
    const second: Fault = { kind: "403", operation: "listDashboards", nth: 2 };
    const ids = [await faults.add(ofAlerts), await faults.add(second)] as const;
    expect(faults.list()).to.deep.equal([
      { id: ids[0], fault: ofAlerts, matched: 0, injected: 0 },
      { id: ids[1], fault: second, matched: 0, injected: 0 },
    ]);
    await faults.clear(ids[0]);
    expect(faults.list().map(({ id }) => id)).to.deep.equal([ids[1]]);
    expect(await statuses(client, 1)).to.deep.equal([200]);
    await faults.clear();
    expect(faults.list()).to.deep.equal([]);
  });

  it("a fault keeps its values when the caller later changes the object that described it", async () => {
    const fault: Fault = { ...ofAlerts };
    await set(fault);
    fault.kind = "403";
    expect(await statuses(client, 1)).to.deep.equal([409]);
  });

  it("a reset of the sandbox restarts the count of a fault's calls", async () => {
    await set({ ...ofAlerts, nth: 2 });
    expect(await statuses(client, 2)).to.deep.equal([200, 409]);
    await client.sandbox.reset();
    expect(counts()).to.deep.equal([[0, 0]]);
    expect(await statuses(client, 2)).to.deep.equal([200, 409]);
  });

  it("the option faults sets faults from the start of a sandbox", async () => {
    expect(await statuses(Client.inProcess({ faults: [ofAlerts] }), 1)).to.deep.equal([409]);
  });
});
