import { type Data, isObject, pick } from "../../values/data";
import { channel, channelsBeside } from "./alertChannels";
import { isRange } from "./alertRules";

/** Origins of the value that an alert watches. */
export const sources = ["tile", "search", "inline"] as const;

/** A body in which members that were carried over go with the declared ones. */
export function consistent(request: Data, current: Data): Data {
  const { scheduleOffsetMinutes: offset, channels, chartConfig, ...body } = request;
  const isAnchored = body.scheduleStartAt !== undefined && body.scheduleStartAt !== null;
  // No program declares both, so the moment was carried over, and the server would keep it.
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
 * A chart in which a ratio goes that was carried over, and formulas before a declared one: servers refuse one that is not of two
 * series, or beside formulas.
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

/** The inputs that an answer shows: those of the alert's kind. */
export function inputsIn(answer: Data, declared: Data): Data {
  const { dashboardId = answer.dashboard, channel: first, channels } = answer;
  const { source, thresholdType } = answer;
  const isOf = (kind: string) => !sources.some((candidate) => candidate !== kind && candidate === source);
  // A look that finds no words for a chart puts a symbol there.
  const { chartConfig } = typeof answer.chartConfig === "symbol" ? declared : answer;
  return {
    ...pick(answer, plainMembers),
    // A server keeps values of the alert's former kind, which no longer apply.
    ...(typeof thresholdType === "string" && !isRange(thresholdType) ? {} : pick(answer, ["thresholdMax"])),
    ...(isOf("tile") ? pick({ ...answer, dashboardId }, ["dashboardId", "tileId"]) : {}),
    ...(isOf("search") ? pick(answer, ["savedSearch", "groupBy"]) : {}),
    ...(isOf("inline") ? pick({ chartConfig }, ["chartConfig"]) : {}),
    // Newer servers answer the first of several channels by itself, too.
    ...(first && declared.channels === undefined ? { channel: channelIn(channelMembers, first) } : {}),
    ...(Array.isArray(channels)
      ? { channels: channels.map((entry) => channelIn(channelMembers, entry)) }
      : {}),
  };
}

function channelIn(members: readonly string[], answer: unknown): unknown {
  if (!isObject(answer)) return answer;
  // Answers may leave out the addresses of a mail without any.
  const mail = answer.type === "email" ? { emailRecipients: [] } : {};
  return pick({ ...mail, ...answer }, members);
}
