import { dialects } from "../../api/dialect";
import { enums } from "../../api/enums.golden";
import { observabilityViaOf } from "../../api/settings";
import type { Settings } from "../../api/settingsSchema";
import type { PropertyMap } from "../../values/data";
import { isUnknown } from "../../values/unknown";
import { type Failure, notOneOf } from "../../values/validate";
import { chartFailures } from "./alertChartRules";
import { detectionFailures } from "./alertDetection";

/** Names of webhook services, such as `slack`, which users mistake for the `type` of an alert's channel. */
const webhookServices = [...enums.webhookService, "pagerduty"];

/**
 * What a missing `tileId` may mean: the SDKs of the plugin give nothing for a mistyped name in the dashboard's output `tileIds`,
 * Go an empty text, and YAML null.
 */
export const noTile = "; a mistyped name of a tile in tileIds gives none";

export function alertFailures(
  declared: PropertyMap,
  olds: PropertyMap | undefined,
  settings: Settings,
): Failure[] {
  return [
    ...sourceFailures(declared, settings),
    ...(declared.chartConfig === undefined ? [] : chartFailures(declared.chartConfig)),
    ...channelFailures(declared, settings),
    ...thresholdFailures(declared, settings),
    ...detectionFailures(declared),
    ...scheduleFailures(declared, olds),
  ];
}

/** Whether an alert's threshold type compares its value with a range, from `threshold` to `thresholdMax`. */
export function isRange(thresholdType: string): boolean {
  return thresholdType === "between" || thresholdType === "not_between";
}

function dialectOf(settings: Settings) {
  return dialects[settings.dialect];
}

function sourceFailures(declared: PropertyMap, settings: Settings): Failure[] {
  const { source, dashboardId, tileId, savedSearch, groupBy, chartConfig } = declared;
  if (source === "search") {
    const isMissing = dialectOf(settings).hasSavedSearches && savedSearch === undefined;
    return [
      ...(isMissing ? [{ path: "savedSearch", message: 'is required when source is "search"' }] : []),
      ...foreignOf({ chartConfig }, source),
    ];
  }
  if (source === "inline") return inlineFailures(declared, settings);
  if (source !== "tile") return [];
  return [
    ...absentOf({ dashboardId, tileId: tileId === "" ? undefined : tileId }).map((path) => ({
      path,
      message: 'is required when source is "tile"',
      ...(path === "tileId" && dashboardId !== undefined ? { hint: noTile } : {}),
    })),
    ...foreignOf({ savedSearch, groupBy, chartConfig }, source),
  ];
}

function inlineFailures(declared: PropertyMap, settings: Settings): Failure[] {
  const { dashboardId, tileId, savedSearch, groupBy, chartConfig } = declared;
  if (settings.dialect !== "clickhouse")
    return [{ path: "source", message: '"inline" needs the setting dialect to be clickhouse' }];
  return [
    ...(chartConfig === undefined
      ? [{ path: "chartConfig", message: 'is required when source is "inline"' }]
      : []),
    ...foreignOf({ dashboardId, tileId, savedSearch }, "inline"),
    ...(groupBy === undefined
      ? []
      : [{ path: "groupBy", message: 'does not apply when source is "inline"; chartConfig has its own' }]),
  ];
}

/** The failures for members that belong to alerts with another `source`, such as `tileId` beside `source: search`. */
function foreignOf(members: PropertyMap, source: string): Failure[] {
  return presentOf(members).map((path) => ({ path, message: `does not apply when source is "${source}"` }));
}

function channelFailures({ channel, channels }: PropertyMap, settings: Settings): Failure[] {
  if (channel === undefined && channels === undefined) return [{ path: "channel", message: "is required" }];
  if (channel !== undefined && channels !== undefined)
    return [{ path: "channels", message: "conflicts with channel; declare only one of them" }];
  const declared = Array.isArray(channels)
    ? [...channels.entries()].map(([index, entry]) => [`channels[${index}]`, entry] as const)
    : [["channel", channel] as const];
  return declared.flatMap(([path, entry]) => membersOfChannel(path, entry, settings));
}

function membersOfChannel(path: string, channel: unknown, settings: Settings): Failure[] {
  if (channel === undefined || isUnknown(channel)) return [];
  const { type, webhookId, webhookService, slackChannelId, severity, emailRecipients } =
    channel as PropertyMap;
  const { channelTypes } = dialectOf(settings);
  if (isUnknown(type)) return [];
  if (channelTypes && webhookServices.includes(type as string))
    return [
      {
        path: `${path}.type`,
        message: `must be webhook; ${type} is the service of a Webhook, whose id is webhookId`,
      },
    ];
  if (channelTypes && !channelTypes.includes(type as string))
    return [notOneOf(`${path}.type`, type, channelTypes)];
  const isEmail = channelTypes !== undefined && type === "email";
  if (isEmail && observabilityViaOf(settings) !== "management")
    return [{ path: `${path}.type`, message: '"email" needs the setting observabilityVia to be management' }];
  const [needed, foreign] = isEmail
    ? [{ emailRecipients }, { webhookId, webhookService, slackChannelId, severity }]
    : [{ webhookId }, { emailRecipients }];
  return [
    ...absentOf(needed).map((name) => ({ path: `${path}.${name}`, message: "is required" })),
    ...presentOf(foreign).map((name) => ({
      path: `${path}.${name}`,
      message: `does not apply when type is ${JSON.stringify(type)}`,
    })),
  ];
}

function thresholdFailures(declared: PropertyMap, settings: Settings): Failure[] {
  const { thresholdType, threshold, thresholdMax, interval } = declared;
  const { thresholdTypes, alertIntervals } = dialectOf(settings);
  const failures: Failure[] = [];
  const check = (path: string, value: unknown, choices: readonly string[] | undefined) => {
    if (typeof value === "string" && choices && !choices.includes(value))
      failures.push(notOneOf(path, value, choices));
  };
  check("thresholdType", thresholdType, thresholdTypes);
  check("interval", interval, alertIntervals);
  if (typeof thresholdType !== "string" || !thresholdTypes.includes(thresholdType)) return failures;
  if (isRange(thresholdType) && thresholdMax === undefined)
    failures.push({ path: "thresholdMax", message: `is required when thresholdType is "${thresholdType}"` });
  if (!isRange(thresholdType) && thresholdMax !== undefined)
    failures.push({
      path: "thresholdMax",
      message: `does not apply when thresholdType is "${thresholdType}"`,
    });
  if (typeof threshold === "number" && typeof thresholdMax === "number" && thresholdMax < threshold)
    failures.push({ path: "thresholdMax", message: "must be at least threshold" });
  return failures;
}

const day = 24 * 60 * 60 * 1000;

function scheduleFailures(declared: PropertyMap, olds: PropertyMap | undefined): Failure[] {
  const { interval, scheduleOffsetMinutes: offset, scheduleStartAt: start } = declared;
  const failures: Failure[] = [];
  if (typeof offset === "number" && offset > 0) {
    if (start !== undefined)
      failures.push({
        path: "scheduleOffsetMinutes",
        message: "conflicts with scheduleStartAt; declare only one of them",
      });
    else if (typeof interval === "string" && offset >= minutesIn(interval))
      failures.push({
        path: "scheduleOffsetMinutes",
        message: `must be less than the interval, ${interval}`,
      });
  }
  // An unchanged start time of an alert's schedule is not checked: it may be older than the service allows for a new one.
  if (typeof start === "string" && start !== olds?.scheduleStartAt) {
    const ahead = Date.parse(start) - Date.now();
    if (ahead > 365 * day || ahead < -3650 * day)
      failures.push({
        path: "scheduleStartAt",
        message: "must be at most ten years ago and at most one year ahead",
      });
  }
  return failures;
}

function minutesIn(interval: string): number {
  const minutes: { readonly [unit: string]: number } = { s: 1 / 60, m: 1, h: 60, d: 24 * 60 };
  return Number.parseInt(interval, 10) * (minutes[interval.slice(-1)] ?? Number.NaN);
}

function absentOf(members: PropertyMap): string[] {
  return Object.keys(members).filter((name) => members[name] === undefined);
}

function presentOf(members: PropertyMap): string[] {
  return Object.keys(members).filter((name) => members[name] !== undefined);
}
