import { type Rewrite, rewriteNames } from "../../../sandbox/core/rewrites";
import type { Dialect } from "../../../sandbox/core/vocabulary";
import type { Random } from "../random";

/** What a service does in the same way throughout a history. Each member can be taken away by itself. */
export interface Behaviour {
  /** Whose words, routes and limits it has: those of the API document, or those of the product. */
  readonly dialect: Dialect;
  /** Which API serves dashboards and alerts. */
  readonly via: "both" | "management" | "observability";
  /** The PUT of an alert sets the texts that it is not given to null, or keeps them. */
  readonly putNulls: boolean;
  /** The PUT of a dashboard clears what it is not given, or keeps it. */
  readonly putClears: boolean;
  /** By how many milliseconds every list lags. */
  readonly listLag: number;
  /** Whether what shows an object by itself lags like the lists, and denies what it does not know yet. */
  readonly readsLag: boolean;
  /** How many milliseconds the answer to a write takes after it was carried out. */
  readonly slowWrites: number;
  /** Whether alerts say when they were created. */
  readonly datesAlerts: boolean;
  /** A create of an alert or a dashboard is answered with the id alone. */
  readonly receipts: boolean;
  /** Unset members of an alert are null in answers, or absent. */
  readonly showsNull: boolean;
  /** Most entries of a page, where lists have pages. */
  readonly page: number;
  /** The ids of keys are in capitals in a list, and in small letters elsewhere. */
  readonly capitals: boolean;
  /** What is not there is 400 "Invalid … id" for keys, instead of 404. */
  readonly invalidIds: boolean;
  /** For how many milliseconds a service answers with the old scaling. */
  readonly scalingLag: number;
  /** How far the clock of the service is ahead, in milliseconds. */
  readonly skew: number;
  /** It has the route that validates dashboards. */
  readonly validates: boolean;
  /** Whether the ids of alerts and dashboards begin with the second in which they were made, as ObjectIds do. */
  readonly timedIds: boolean;
  readonly rewrites: Rewrites;
}

/** How answers differ from what was sent: as the sandbox rewrites it, or since other values are kept. */
export type Rewrites = { readonly [name in Rewrite | "trims" | "lowerCase" | "intervals"]: boolean };

const noRewrites = Object.fromEntries(
  [...rewriteNames, "trims", "lowerCase", "intervals"].map((name) => [name, false]),
) as Rewrites;

/** Those that the sandbox knows. */
export function rewritesOf({ rewrites }: Behaviour): Rewrite[] {
  return rewriteNames.filter((name) => rewrites[name]);
}

/** A service that does nothing out of the ordinary. */
export const plain: Behaviour = {
  dialect: "neutral",
  via: "both",
  putNulls: true,
  putClears: false,
  listLag: 0,
  readsLag: false,
  slowWrites: 0,
  datesAlerts: true,
  receipts: false,
  showsNull: true,
  page: 1000,
  capitals: false,
  invalidIds: false,
  scalingLag: 0,
  skew: 0,
  validates: true,
  timedIds: true,
  rewrites: noRewrites,
};

export function drawBehaviour(random: Random, dialect: Dialect): Behaviour {
  const rarely = () => random.chance(0.2);
  return {
    dialect,
    via: random.weighted({ both: 3, management: 1, observability: 1 }),
    putNulls: random.chance(0.8),
    putClears: random.chance(0.3),
    ...drawLag(random),
    slowWrites: random.pick([0, 0, 0, 0, 2000, 6000]),
    datesAlerts: random.chance(0.8),
    receipts: rarely(),
    showsNull: random.chance(0.5),
    page: random.pick([2, 3, 1000, 1000, 1000]),
    capitals: random.chance(0.1),
    invalidIds: rarely(),
    scalingLag: random.pick([0, 0, 0, 300, 3000, 12_000]),
    skew: random.pick([0, 0, 0, -90_000, 90_000]),
    validates: random.chance(0.7),
    timedIds: random.chance(0.6),
    rewrites: {
      ...noRewrites,
      // Names lose the blanks at their ends, tags are in lower case, and an interval of 60m is 1h.
      ...{ trims: rarely(), lowerCase: rarely(), intervals: rarely() },
      ...{ seriesAsConfig: rarely(), defaults: rarely(), reorder: random.chance(0.1) },
      ...{ numbersAsStrings: random.chance(0.1), normalizedOrigins: random.chance(0.1) },
      ...{ normalizedTimes: random.chance(0.5), dashboardId: random.chance(0.5) },
    },
  };
}

function drawLag(random: Random): Pick<Behaviour, "listLag" | "readsLag"> {
  if (random.chance(0.05)) return { listLag: random.pick([4000, 30_000, 90_000]), readsLag: true };
  return { listLag: random.pick([0, 0, 0, 0, 0, 0, 500, 4000, 30_000]), readsLag: false };
}

/** The behaviour in words, as far as it differs from a plain service. */
export function describeBehaviour(behaviour: Behaviour): string {
  const { rewrites, ...own } = behaviour;
  const said = (all: object, usual: object) =>
    Object.entries(all)
      .filter(([name, value]) => value !== (usual as Record<string, unknown>)[name])
      .map(([name, value]) => (value === true ? name : `${name} ${value}`));
  const { rewrites: _, ...usual } = plain;
  const words = [...said(own, usual), ...said(rewrites, plain.rewrites).map((name) => `rewrites: ${name}`)];
  return words.length === 0 ? "A plain service." : `A service with: ${words.join(", ")}.`;
}
