import { expect } from "chai";
import { listingOf } from "../../../cli/draw/listings";
import { picturesOf, picturesOfChange } from "../../../cli/draw/pictures";
import { asCode } from "../../../cli/drift/asCode";
import { findDrift } from "../../../cli/drift/findDrift";
import { discover } from "../../../cli/import/discover";
import { nameObjects } from "../../../cli/import/names";
import { programOf } from "../../../cli/import/program";
import { typescript } from "../../../cli/import/typescript";
import { deleteOrphans } from "../../../cli/orphans/deletion";
import { findOrphans } from "../../../cli/orphans/findOrphans";
import { listByType } from "../../../cli/orphans/listObjects";
import { recoverable } from "../../../cli/orphans/recover";
import { Holdings } from "../../../cli/orphans/states";
import { readDashboards } from "../../../drawing";
import { typeToken } from "../../../provider/engine/names";
import { Claims } from "../../../provider/hosts/ownership/claims";
import { deleteUnlessDeclared } from "../../../provider/lifecycle/delete";
import { declarable, resources, type TypeName } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { selected } from "../../seed";
import { alert, dashboard, place, tile, useService } from "../lifecycle/scriptedService";
import { growingIn } from "./operations";

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const hex = (kind: number, index: number) => `${kind}${index.toString(16)}`.padEnd(24, "f");

/** Makes a dashboard with the given number of tiles, which share one name or have one each. */
const tilesOf = (count: number, changed: PropertyMap = {}, isNamed = true) =>
  numbers(count).map((index) => ({
    ...tile,
    ...{ name: isNamed ? `Tile ${index}` : "Tile", x: (index % 4) * 6, y: Math.floor(index / 4) * 4 },
    ...changed,
  }));

describe("The number of operations for thousands of tiles and objects", function () {
  this.timeout(120_000);
  const service = useService();
  const { open, addForeign: put } = service;
  const session = () => open().session;

  const urnOf = (type: string, name: string) => `urn:pulumi:dev::test::${typeToken(type)}::${name}`;
  const resource = (
    type: TypeName,
    id: string,
    name: string,
    inputs: PropertyMap,
    outputs: PropertyMap = {},
  ) => ({
    ...{ urn: urnOf(type, name), type: typeToken(type), id, inputs, outputs: { ...inputs, ...outputs } },
  });
  const boardOf = (size: number, index = 0) => ({
    ...{ ...dashboard, id: hex(1, index), name: `Board ${index}` },
    tiles: tilesOf(size).map((each, at) => ({ ...each, id: hex(2, at + index * size) })),
  });
  const boards = (count: number) => numbers(count).map((index) => boardOf(1, index));
  const alertsOn = (count: number) =>
    numbers(count).map((index) => ({
      ...{ ...alert, id: hex(3, index), source: "tile", dashboardId: hex(1, 0), tileId: hex(2, index) },
    }));
  const alerts = (count: number) =>
    numbers(count).map((index) => put({ id: hex(3, index), name: "Slow", threshold: index }));
  /**
   * Runs the provider's steps for one dashboard as Pulumi does: a create with the tiles `before`, a refresh, and an update to
   * the tiles `after`. Before the refresh `change` may change the tiles in the service.
   */
  const life = async (
    before: readonly PropertyMap[],
    after: readonly PropertyMap[],
    change?: (tiles: PropertyMap[]) => void,
  ) => {
    const own = session();
    const declared = { ...place, ...dashboard, tiles: before };
    const { inputs } = await resources.Dashboard.check({}, declared, own);
    const { id, state } = await resources.Dashboard.create(inputs, own);
    change?.((service.stored(id, "Dashboard") as { tiles: PropertyMap[] }).tiles);
    const found = await resources.Dashboard.read(id, state, session());
    if (typeof found === "string") throw new Error(found);
    const later = session();
    const next = await resources.Dashboard.check(found.inputs, { ...declared, tiles: after }, later);
    await resources.Dashboard.diff(id, found.state, next.inputs, later);
    resources.Dashboard.plan(found.state, next.inputs);
    await resources.Dashboard.update(id, found.state, next.inputs, later);
    service.model.store.dashboards.clear();
  };
  const stateOf = (size: number) => [
    ...boards(size).map((each, index) =>
      resource("Dashboard", each.id, `board-${index}`, { ...place, ...each }),
    ),
    ...alertsOn(size).map((each, index) =>
      resource("Alert", each.id, `alert-${index}`, { ...place, ...each }),
    ),
  ];

  const steps: { readonly [what: string]: (size: number) => unknown } = {
    "a dashboard whose tiles all change": (size) => life(tilesOf(size), tilesOf(size, { h: 5 })),
    "a dashboard whose tiles have one name": (size) =>
      life(tilesOf(size, {}, false), tilesOf(size, { h: 5 }, false)),
    "a dashboard with a tile before all others": (size) =>
      life(tilesOf(size), [{ ...tile, name: "First" }, ...tilesOf(size, { h: 5 })]),
    "a dashboard that somebody has changed": (size) =>
      life(tilesOf(size), tilesOf(size, { h: 6 }), (tiles) => {
        for (const each of tiles) Object.assign(each, { h: 7, name: `${each.name} 2` });
        tiles.reverse();
      }),
    "a set of alerts": async (size) => {
      const own = session();
      const of = (threshold: number) =>
        Object.fromEntries(numbers(size).map((key) => [`a${key}`, { ...alert, threshold }]));
      const claims = new Claims();
      claims.serve(own);
      const { inputs } = await declarable.AlertSet.check({}, { ...place, alerts: of(1) }, own);
      const { id, state } = await declarable.AlertSet.create(inputs, own);
      await declarable.AlertSet.read(id, state, own);
      await declarable.AlertSet.diff(id, state, { ...place, alerts: of(2) }, own);
      const now = await declarable.AlertSet.update(id, state, { ...place, alerts: of(2) }, own);
      await declarable.AlertSet.delete(id, now, own);
    },
    "the life of many alerts in one process": async (size) => {
      const own = session();
      const claims = new Claims();
      claims.serve(own);
      const made = await Promise.all(
        numbers(size).map((threshold) => service.create(own, "Alert", { threshold })),
      );
      for (const { id, state } of made) {
        claims.hold(resources.Alert, id, { identity: id }, state, own);
        claims.isClaimed(resources.Alert, id, state, id);
      }
      await Promise.all(made.map(({ id, state }) => resources.Alert.delete(id, state, own)));
    },
    "the deletion of dashboards with alerts": async (size) => {
      const own = session();
      const ids = numbers(size).map((index) => put({ id: hex(1, index) }, "Dashboard"));
      for (const [index, dashboardId] of ids.entries()) put({ id: hex(3, index), dashboard: dashboardId });
      await Promise.all(
        ids.map((id) => deleteUnlessDeclared(resources.Dashboard, id, { ...place }, own, false)),
      );
      service.model.store.alerts.clear();
    },
    "an import of alerts of one name": async (size) => {
      alerts(size);
      const own = session();
      const { objects } = await discover(own, place, ["Alert"]);
      programOf({ objects: nameObjects(objects), lookups: [] }, place, false, typescript("pipestack"));
      service.model.store.alerts.clear();
    },
    "orphans among as many objects": async (size) => {
      alerts(2 * size);
      const own = session();
      const held = numbers(size).map((index) =>
        resource("Alert", hex(3, index), `an-alert-with-a-rather-long-name-${index}`, { ...place, ...alert }),
      );
      const holdings = new Holdings([{ name: "dev", resources: held, pending: [] }]);
      const listing = await listByType(own, ["Alert"], () => {});
      const orphans = findOrphans(listing, ["Alert"], holdings, own);
      await deleteOrphans(orphans, listing.objects, own, () => {});
      service.model.store.alerts.clear();
    },
    "the recovery of as many orphans": async (size) => {
      alerts(size);
      const own = session();
      const missing = numbers(size).map((threshold) => ({
        ...{ type: "Alert" as const, urn: urnOf("Alert", `a${threshold}`), host: "dynamic" as const },
        ...{ inputs: { ...place, ...alert, name: `Slow ${threshold}`, threshold }, dependencies: {} },
      }));
      const orphans = numbers(size).map((index) => ({
        ...{ type: "Alert" as const, id: hex(3, index), name: `Slow ${index}` },
        ...{ createdAt: null, usedAt: null, kept: null },
      }));
      for (const { id, name } of orphans) Object.assign(service.stored(id) ?? {}, { name });
      const declared = { missing, elsewhere: [], adopted: new Set<string>(), byUrn: new Map() };
      await recoverable({ declared, orphans, inState: [] }, own);
      service.model.store.alerts.clear();
    },
    "drift in as many resources, and the code for it": (size) => {
      const before = stateOf(size);
      const steps = before.map((each) => ({
        ...{ op: "update", urn: each.urn, old: each },
        new: { ...each, inputs: { ...each.inputs, name: "Other" } },
      }));
      const { drift } = findDrift(before, steps);
      asCode(drift, steps, before);
    },
    "a draw of dashboards with alerts of a stack": (size) => {
      const { dashboards, alerts } = listingOf(stateOf(size));
      picturesOf(readDashboards({ dashboards, alerts }), () => undefined);
    },
    "a draw of a dashboard of tiles with alerts, and of its changes": (size) => {
      const read = (changed: PropertyMap) =>
        readDashboards({
          dashboards: [
            { ...boardOf(size), tiles: boardOf(size).tiles.map((each) => ({ ...each, ...changed })) },
          ],
          alerts: alertsOn(size),
        });
      picturesOf(read({}), () => undefined);
      picturesOfChange(read({}), read({ name: "Other", h: 3 }), () => undefined);
    },
  };
  for (const [what, step] of selected(Object.entries(steps), 3))
    it(`four times as many objects need at most six times the operations: ${what}`, async () => {
      expect(await growingIn(step, 150)).to.deep.equal([]);
    });
});
