import { type Data, isObject, pick } from "../../values/data";
import { channel, channelsBeside } from "./alertChannels";
import { isRange } from "./alertRules";

/** Origins of the value that an alert watches. */
export const sources = ["tile", "search", "inline"] as const;

/** Removes from the body of an update those undeclared members that contradict the declared ones. */
export function consistent(request: Data, current: Data): Data {
  const { scheduleOffsetMinutes: offset, channels, chartConfig, ...body } = request;
  const isAnchored = body.scheduleStartAt !== undefined && body.scheduleStartAt !== null;
  // A program cannot declare both, so the start time is an undeclared one. Left in the body, the server would keep it.
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
 * Removes undeclared ratios and formulas from a chart: servers refuse a ratio of other than two series, and a ratio
 * beside formulas.
 */
function withoutContradiction({ asRatio, formulas, ...chart }: Data, current: unknown): Data {
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

/** The inputs in an answer. Members of another kind of alert are left out. */
export function inputsIn(answer: Data, declared: Data): Data {
  const { dashboardId = answer.dashboard, channel: first, channels } = answer;
  const { source, thresholdType } = answer;
  const isOf = (kind: string) => !sources.some((candidate) => candidate !== kind && candidate === source);
  // A symbol stands for a chart that the API cannot describe; then the declared chart counts.
  const { chartConfig } = typeof answer.chartConfig === "symbol" ? declared : answer;
  return {
    ...pick(answer, plainMembers),
    // A server keeps values that belong to the alert's former threshold type, and no longer apply.
    ...(typeof thresholdType === "string" && !isRange(thresholdType) ? {} : pick(answer, ["thresholdMax"])),
    ...(isOf("tile") ? pick({ ...answer, dashboardId }, ["dashboardId", "tileId"]) : {}),
    ...(isOf("search") ? pick(answer, ["savedSearch", "groupBy"]) : {}),
    ...(isOf("inline") ? pick({ chartConfig }, ["chartConfig"]) : {}),
    // Newer servers show the first of several channels as `channel`, too.
    ...(first && declared.channels === undefined ? { channel: channelIn(channelMembers, first) } : {}),
    ...(Array.isArray(channels)
      ? { channels: channels.map((entry) => channelIn(channelMembers, entry)) }
      : {}),
  };
}

function channelIn(members: readonly string[], answer: unknown): unknown {
  if (!isObject(answer)) return answer;
  // Some answers omit an empty list of addresses.
  const mail = answer.type === "email" ? { emailRecipients: [] } : {};
  return pick({ ...mail, ...answer }, members);
}
