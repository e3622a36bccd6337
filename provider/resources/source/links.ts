import { SharedMembers } from "../../lifecycle/sharedMembers";
import { type State, trackingOf, withTracking } from "../../lifecycle/state";

/** The properties with which data sources refer to each other. The kind of a source determines which of them it may have. */
export const linkNames = ["logSourceId", "traceSourceId", "metricSourceId", "sessionSourceId"];

/** The links of a data source that its `Source` or a `SourceLinks` declares. */
export const sharedLinks = new SharedMembers(linkNames);

/** The Pulumi state as if it had none of some links, so that nothing becomes of these. */
export function withoutLinks(state: State, names: readonly string[]): State {
  const { attempted, ...tracking } = trackingOf(state);
  const left = attempted && without(attempted, names);
  return withTracking(without(state, names), { ...tracking, attempted: left });
}

const without = <Value>(values: { readonly [name: string]: Value }, names: readonly string[]) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
