import { type Rewrite, rewriteNames } from "../../../sandbox/core/rewrites";
import type { Dialect } from "../../../sandbox/core/vocabulary";
import type { Random } from "../random";

/**
 * The behaviour that the simulated service keeps throughout a history. Shrinking can reset each property to its usual value.
 */
export interface Behaviour {
  /**
   * The dialect of the simulated service: names, routes and limits of the API document, or those of ClickHouse Cloud and
   * HyperDX.
   */
  readonly dialect: Dialect;
  readonly via: "both" | "management" | "observability";
  /** Whether the PUT of an alert in the simulated service sets texts that the body lacks to null. If false, the texts stay. */
  readonly putNulls: boolean;
  /**
   * Whether the PUT of a dashboard in the simulated service clears properties that the body lacks. If false, the properties
   * stay.
   */
  readonly putClears: boolean;
  /** Milliseconds by which every list of the simulated service lags behind. */
  readonly listLag: number;
  /**
   * Whether reads of single objects in the simulated service lag like its lists, and answer 404 for an object that they do not
   * show yet.
   */
  readonly readsLag: boolean;
  /** Milliseconds from carrying out a write in the simulated service to its answer. */
  readonly slowWrites: number;
  /** Whether answers of the simulated service show the creation date of alerts. */
  readonly datesAlerts: boolean;
  /** Whether the answer to a create of an alert or a dashboard contains only the id. */
  readonly receipts: boolean;
  /** Whether unset properties of an alert are null in answers of the simulated service. If false, they are absent. */
  readonly showsNull: boolean;
  readonly page: number;
  /** Whether lists show the ids of API keys in upper case, and other answers in lower case. */
  readonly capitals: boolean;
  /** Whether the simulated service answers requests for a missing API key with 400 "Invalid … id" instead of 404. */
  readonly invalidIds: boolean;
  /** Milliseconds for which reads of the simulated service still show the old scaling after a change. */
  readonly scalingLag: number;
  /** Milliseconds by which the simulated service's clock is ahead. */
  readonly skew: number;
  /** Whether the simulated service has the route that validates dashboards. */
  readonly validates: boolean;
  /** Whether the ids of alerts and dashboards begin with the second of their creation, as ObjectIds do. */
  readonly timedIds: boolean;
  readonly rewrites: Rewrites;
}

/**
 * The rewrites by which answers of the simulated service differ from what was sent: those of the sandbox, and three (`trims`,
 * `lowerCase`, `intervals`) that change stored values.
 */
export type Rewrites = { readonly [name in Rewrite | "trims" | "lowerCase" | "intervals"]: boolean };

const noRewrites = Object.fromEntries(
  [...rewriteNames, "trims", "lowerCase", "intervals"].map((name) => [name, false]),
) as Rewrites;

/**
 * Returns the rewrites of answers in a history that the sandbox, rather than the simulation, carries out: the same values in
 * another form.
 */
export function rewritesOf({ rewrites }: Behaviour): Rewrite[] {
  return rewriteNames.filter((name) => rewrites[name]);
}

/** The behaviour of the simulated service in a history without anything unusual. */
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
      // In some histories the simulated service changes values when it stores them: it trims names, writes tags in lower case,
      // or turns the interval 60m into 1h.
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

/** Describes in words the unusual behaviour of the simulated service in a history. */
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
