/**
 * Pictures of dashboards. Nothing in this folder imports anything from outside it, so that it runs in a browser as it
 * does in the command `pipestack draw`.
 */

export { milliseconds } from "./chartValues";
export {
  compareAlerts,
  compareDashboards,
  type DashboardChange,
  isUnchanged,
  type TileChange,
} from "./compare";
export { type Content, element, Markup, sourceOf } from "./element";
export { describeAlert, describeArea, describeSeries, formatTime } from "./format";
export type * from "./model";
export {
  describeChange,
  drawComparison,
  drawDashboard,
  type PictureOptions,
  summaryOf,
} from "./picture";
export { type Listing, readDashboards, readTile } from "./read";
export { pictureClass, pictureStyle } from "./style";
export { describeTile, type Mark } from "./tile";
