import { type Data, isObject } from "../../values/data";
import { channelsBeside } from "./alertChannels";

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
