import { isObject, type PropertyMap, pick } from "../../values/data";
import { channel, channelsBeside } from "./alertChannels";
import { withoutUnusedConfig } from "./alertDetection";
import { isRange } from "./alertRules";

export const sources = ["tile", "search", "inline"] as const;

/** Removes undeclared members that contradict the declared ones from the body of a request that updates an alert. */
export function consistent(request: PropertyMap, current: PropertyMap): PropertyMap {
  const { scheduleOffsetMinutes: offset, channels, chartConfig, ...body } = withoutUnusedConfig(request);
  const isAnchored = body.scheduleStartAt !== undefined && body.scheduleStartAt !== null;
  // The schedule of an alert has either an offset or a start time. The request clears the start time if the program newly
  // declares an offset, since the server would otherwise keep the start time.
  const isDeclared = typeof offset === "number" && offset > 0 && offset !== current.scheduleOffsetMinutes;
  return {
    ...body,
    ...(isAnchored && isDeclared ? { scheduleStartAt: null } : {}),
    ...(offset === undefined || (isAnchored && !isDeclared) ? {} : { scheduleOffsetMinutes: offset }),
    ...channelsBeside(body.channel, channels),
    ...(body.source === "inline" && isObject(chartConfig)
      ? { chartConfig: withoutContradiction(chartConfig, current.chartConfig) }
      : {}),
  };
}

/**
 * Removes undeclared ratios and formulas from the chart of an alert: servers refuse a ratio of other than two series, and a
 * ratio beside formulas.
 */
function withoutContradiction({ asRatio, formulas, ...chart }: PropertyMap, current: unknown): PropertyMap {
  const [series, computed] = [chart.select, formulas].map((list) => (Array.isArray(list) ? list.length : 0));
  const isCarried = isObject(current) && current.asRatio === true;
  const isKept = asRatio !== undefined && !(asRatio === true && isCarried && (computed || series !== 2));
  return {
    ...chart,
    ...(isKept ? { asRatio } : {}),
    ...(formulas === undefined || (isKept && asRatio === true) ? {} : { formulas }),
  };
}

const plainMembers = [
  ...["name", "message", "note", "threshold", "interval", "thresholdType", "source"],
  ...["scheduleOffsetMinutes", "scheduleStartAt", "numConsecutiveWindows", "displayName", "tags"],
];

const channelMembers = Object.keys(channel.properties);

/** The inputs of an alert in an answer. Members that belong to alerts with another `source` are left out. */
export function inputsIn(answer: PropertyMap, declared: PropertyMap): PropertyMap {
  const { dashboardId = answer.dashboard, channel: first, channels } = answer;
  const { source, thresholdType } = answer;
  const isOf = (kind: string) => !sources.some((candidate) => candidate !== kind && candidate === source);
  // The provider puts a JavaScript symbol in the place of a chart that the API cannot describe. The inputs then keep the
  // declared chart.
  const { chartConfig } = typeof answer.chartConfig === "symbol" ? declared : answer;
  return {
    ...pick(answer, plainMembers),
    ...pick(withoutUnusedConfig(answer), ["detectionMode", "anomalyConfig"]),
    // The API still shows `thresholdMax` after an alert has changed to a threshold type that does not use it. It is then left
    // out of the inputs.
    ...(typeof thresholdType === "string" && !isRange(thresholdType) ? {} : pick(answer, ["thresholdMax"])),
    ...(isOf("tile") ? pick({ ...answer, dashboardId }, ["dashboardId", "tileId"]) : {}),
    ...(isOf("search") ? pick(answer, ["savedSearch", "groupBy"]) : {}),
    ...(isOf("inline") ? pick({ chartConfig }, ["chartConfig"]) : {}),
    // Newer servers show the first of an alert's `channels` also as `channel`. If the program declares `channels`, the inputs
    // leave `channel` out.
    ...(first && declared.channels === undefined ? { channel: channelIn(channelMembers, first) } : {}),
    ...(Array.isArray(channels)
      ? { channels: channels.map((entry) => channelIn(channelMembers, entry)) }
      : {}),
  };
}

function channelIn(members: readonly string[], answer: unknown): unknown {
  if (!isObject(answer)) return answer;
  // Some answers of the API omit an empty list of mail addresses in a notification channel.
  const mail = answer.type === "email" ? { emailRecipients: [] } : {};
  return pick({ ...mail, ...answer }, members);
}
