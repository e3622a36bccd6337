import type { PropertyMap } from "../../../provider/values/data";
import { Declared } from "../drift/fixture";
import { channel, sentBy, sessionOfProduct, useProduct } from "./product";

export const savedSearch = "65f1c0a2b3d4e5f607182931";
export const alert = {
  source: "search",
  savedSearch,
  threshold: 5,
  thresholdType: "above",
  interval: "5m",
  channel,
};
export const onTile = {
  ...{ source: "tile", dashboardId: "d", tileId: "t" },
  ...{ threshold: 5, thresholdType: "above", interval: "5m", channel },
};
const source = { sourceId: "65f1c0a2b3d4e5f607182911" };
export const line = { displayType: "line", ...source, select: [{ aggFn: "count" }] };
const { savedSearch: _, ...condition } = alert;
export const inline = { ...condition, source: "inline", chartConfig: line };

export function inDays(days: number): string {
  return new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString();
}

/** Alerts in a sandbox of the product. Each update has a session of its own, as in a process of its own. */
export function useAlerts(usual: { [name: string]: string }) {
  const product = useProduct();
  const opened = (settings = usual) => sessionOfProduct(product.sandbox, settings);
  const stored = ({ id }: { id: string }) => product.sandbox.store.alerts.get(id) ?? ({} as never);
  const updates = () => sentBy(product, "PUT").map(([, body]) => body as PropertyMap);
  /** Runs an update of an alert to a new program. */
  async function become(declared: Declared, program: PropertyMap, settings?: { [name: string]: string }) {
    Object.assign(declared, { program });
    const { session, warnings } = opened(settings);
    await declared.up(session);
    return { declared, warnings };
  }
  const applied = async (program: PropertyMap, settings?: { [name: string]: string }) =>
    (await become(new Declared("Alert", program), program, settings)).declared;
  return { product, opened, stored, updates, become, applied };
}
