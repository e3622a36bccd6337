import { type ConstructRequest, ConstructResponse } from "@pulumi/pulumi/proto/provider_pb";
import { eventTable, sourcesOfSlo } from "../../functions/sloSource";
import type { Session } from "../../lifecycle/session";
import { enabledRates, windowName } from "../../resources/slo/burnRates";
import { checkSlo, type SloInputs } from "../../resources/slo/slo";
import { sloAlert, sloTiles, tileName } from "../../resources/slo/sloObjects";
import { isObject, ownMember, type PropertyMap, pick } from "../../values/data";
import { containsUnknown, unknown } from "../../values/unknown";
import { withoutValues } from "../../values/validate";
import { mustBePlain } from "../secrecy";
import { Monitor } from "./monitor";
import { received, toStruct } from "./wireValues";

/** Declares the resources of the component `Slo`, and checks its inputs, since the engine checks none of components. */
export async function constructSlo(request: ConstructRequest, session: Session): Promise<ConstructResponse> {
  const resourceName = request.getName();
  const { data, secrets } = received(request.getInputs());
  if (secrets.some(([member]) => member === "name")) throw new Error(`name ${mustBePlain}`);
  const inputs = data as SloInputs;
  const tiles = await tilesOf(inputs, session).catch((error: Error) => {
    // The engine prints the values of inputs that an error names, so the error names no input if some are secret.
    throw secrets.length > 0 ? withoutValues(error) : error;
  });
  const { name = resourceName, window, runbook } = inputs;
  const scope = pick(data, ["organizationId", "serviceId"]);
  const isSecret = secrets.length > 0;
  const monitor = new Monitor(request);
  try {
    const { urn } = await monitor.component();
    const board = { ...scope, ...pick(data, ["tags"]), name, tiles };
    const dashboard = await monitor.child(urn, {
      ...{ type: "Dashboard", name: resourceName, inputs: board, isSecret },
    });
    const tileIds = isObject(dashboard.data.tileIds) ? dashboard.data.tileIds : {};
    const alerts = await Promise.all(
      enabledRates(inputs).map(async (rate) => {
        const key = windowName(rate.long);
        const { enabled, ...channels } = { ...inputs[rate.severity] };
        const terms = containsUnknown([name, window])
          ? { ...sloAlert(rate, ""), name: unknown, threshold: unknown }
          : sloAlert(rate, name, window);
        const tile = { source: "tile", dashboardId: dashboard.id };
        const tileId = ownMember(tileIds, tileName(rate)) ?? unknown;
        const { id } = await monitor.child(urn, {
          type: "Alert",
          name: `${resourceName}-${key}`,
          inputs: { ...scope, ...channels, ...terms, ...tile, tileId, note: runbook },
          isSecret,
          dependencies: [dashboard.urn],
        });
        return [key, id] as const;
      }),
    );
    const { url } = dashboard.data;
    const outputs: PropertyMap = { dashboardId: dashboard.id, url, alertIds: Object.fromEntries(alerts) };
    await monitor.finish(urn, outputs);
    return new ConstructResponse().setUrn(urn).setState(toStruct(outputs));
  } finally {
    monitor.close();
  }
}

/** The tiles of an objective's dashboard; unknown while a value is unknown that their queries and texts need. */
async function tilesOf(inputs: SloInputs, session: Session) {
  checkSlo(inputs);
  const { page, ticket, tags, ...measured } = inputs;
  if (containsUnknown(measured)) return unknown;
  const args = pick(inputs as PropertyMap, ["organizationId", "serviceId", "sourceId"]);
  return sloTiles(inputs, eventTable(inputs, await sourcesOfSlo.run(args, session)));
}
