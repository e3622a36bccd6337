import type * as pulumi from "@pulumi/pulumi";
import { type Static, Type } from "@sinclair/typebox";
import { type Data, pick } from "../lifecycle/data";
import { type Observation, type Resource, sentPart } from "../lifecycle/lifecycle";
import { aboutObject, type Collection, createOnce, lookUp, remove } from "../lifecycle/objects";
import { oneOf } from "../lifecycle/schema";
import type { Session } from "../lifecycle/session";
import { existing, ManagedResource, type PlaceArgs } from "../pulumi/managedResource";
import type { InputsOf, OutputsOf } from "../pulumi/types";
import { inService, type Placement, placeOf } from "./placement";

/** Inputs of an alert (API document: "Create alert body", "Update alert body"). */
const inputs = Type.Object(
  {
    ...inService,
    /** Takes over the existing alert with this id instead of creating one. Has no effect once the alert is in state. */
    adoptId: Type.Optional(Type.String({ minLength: 1, local: true, replaces: true })),
    /** Name of the alert. Without one the alert has none. */
    name: Type.Optional(Type.String({ minLength: 1 })),
    /** Text that the alert sends. Without one the service sends its own. */
    message: Type.Optional(Type.String({ minLength: 1 })),
    /** The number that the value of the tile or the search is compared with, in the unit of that value. */
    threshold: Type.Number(),
    /** How often the value is looked at, and over how long: a count and a unit (s, m, h or d), such as `5m`. */
    interval: Type.String({
      pattern: "^[1-9]\\d*[smhd]$",
      rule: "a count and a unit (s, m, h or d), such as 5m",
    }),
    /** Whether the alert fires when the value is `above` or `below` the threshold. */
    thresholdType: oneOf(["above", "below"]),
    /** Where the value comes from: a `tile` of a dashboard (with `dashboardId` and `tileId`), or a saved `search`. */
    source: oneOf(["tile", "search"]),
    /** Dashboard of the tile: `dashboard.id`. Required when `source` is `tile`. */
    dashboardId: Type.Optional(Type.String({ minLength: 1 })),
    /** The tile: `dashboard.tileIds["name of the tile"]`. Required when `source` is `tile`. */
    tileId: Type.Optional(Type.String({ minLength: 1 })),
    /** Where the alert is sent. */
    channel: Type.Object(
      {
        /** Kind of channel, such as `webhook`. */
        type: Type.String({ minLength: 1 }),
        /** Id of the webhook; `getWebhooks` lists them. */
        webhookId: Type.String({ minLength: 1 }),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);

/** What the service says of an alert beyond its inputs (API document: "Alert (observability API)"). */
const outputs = Type.Object({
  /** Whether the alert fires, as the service last said; it changes by itself and never counts as drift. */
  state: Type.Optional(Type.String()),
  /** Team that the alert belongs to. */
  team: Type.Optional(Type.String()),
  /** Id of the saved search, where `source` is `search`. */
  savedSearch: Type.Optional(Type.String()),
  /** Expression by which the value is grouped. */
  groupBy: Type.Optional(Type.String()),
  /** Whether the alert is silenced. */
  silenced: Type.Optional(Type.Boolean()),
  /** When the alert was created (ISO 8601). */
  createdAt: Type.Optional(Type.String()),
  /** When the alert was last changed (ISO 8601). */
  updatedAt: Type.Optional(Type.String()),
});

type Inputs = Static<typeof inputs>;

const alerts: Collection = { noun: "alert", list: "listAlerts", get: "getAlert", remove: "deleteAlert" };

/** What the provider does with an alert at each step of its life. */
export const alertResource: Resource<Inputs> = {
  type: "Alert",
  inputs,
  outputs,
  placement: ["organizationId", "serviceId"],

  problems({ source, dashboardId, tileId }) {
    if (source !== "tile") return [];
    const missing = Object.entries({ dashboardId, tileId }).filter(([, value]) => value === undefined);
    return missing.map(([path]) => ({ path, message: 'is required when source is "tile"' }));
  },

  async create(declared, session) {
    const place = placeOf(declared, session);
    if (declared.adoptId) {
      const found = await lookUp(session, alerts, place, declared.adoptId);
      if (found === "gone")
        throw new Error(`adoptId: service ${place.serviceId} has no alert ${declared.adoptId}`);
      return { id: declared.adoptId, observation: await write(declared.adoptId, declared, session) };
    }
    const body = sentPart(alertResource, declared);
    const answer = await createOnce(
      session,
      "createAlert",
      place,
      body,
      leftBehind(declared, place.serviceId),
    );
    return { id: answer.id, observation: await wholeObservation(answer, place, session) };
  },

  async read(id, declared, session) {
    const found = await lookUp(session, alerts, placeOf(declared, session), id);
    return typeof found === "string" ? found : observe(found);
  },

  update: (id, declared, _state, session) => write(id, declared, session),

  delete: (id, state, session) => remove(session, alerts, placeOf(state as Placement, session), id),
};

/** The PUT is neither full nor partial (it clears some of what it is not given), so all that is declared goes along. */
async function write(id: string, declared: Inputs, session: Session): Promise<Observation> {
  const answer = await session.call("updateAlert", { id }, sentPart(alertResource, declared));
  return wholeObservation(aboutObject("updateAlert", answer, id), placeOf(declared, session), session);
}

/** The shape of the answer to a write is not documented: where it is a mere receipt, the alert is looked up. */
async function wholeObservation(
  answer: Data,
  place: Required<Placement>,
  session: Session,
): Promise<Observation> {
  if (answer.threshold !== undefined) return observe(answer);
  const found = await lookUp(session, alerts, place, answer.id as string);
  return observe(typeof found === "string" ? answer : found);
}

function observe(answer: Data): Observation {
  const { dashboardId = answer.dashboard, channel } = answer;
  return {
    inputs: {
      ...pick(answer, ["name", "message", "threshold", "interval", "thresholdType", "source", "tileId"]),
      ...pick({ dashboardId }, ["dashboardId"]),
      ...(channel ? { channel: pick(channel as Data, ["type", "webhookId"]) } : {}),
    },
    outputs: pick(answer, Object.keys(outputs.properties)),
  };
}

function leftBehind({ name, threshold }: Inputs, serviceId: string): string {
  const which = name ? `named ${JSON.stringify(name)}` : `with threshold ${threshold}`;
  return `look for an alert ${which} on service ${serviceId} that no program declares; take it over with adoptId, or delete it.`;
}

/** Arguments of an {@link Alert}. */
export interface AlertArgs extends InputsOf<typeof inputs> {}

export interface Alert extends OutputsOf<typeof inputs, typeof outputs> {}

/**
 * An alert on a tile of a dashboard or on a saved search. Created through the management API, updated through the
 * observability API with everything that is declared; listed and deleted through conventional operations
 * (API document: "Create alert body", "Update alert body").
 *
 * A change of `organizationId` or `serviceId` replaces the alert, everything else is updated in place. A `name` or
 * `message` that is taken out of the program is cleared.
 *
 * @example
 * ```typescript
 * new pipestack.Alert("slow-queries", {
 *   name: "Slow queries",
 *   source: "tile",
 *   dashboardId: dashboard.id,
 *   tileId: dashboard.tileIds["Query time"],
 *   threshold: 500,
 *   thresholdType: "above",
 *   interval: "5m",
 *   channel: { type: "webhook", webhookId: "66f0c2d8a1b2c3d4e5f60718" },
 * });
 * ```
 */
export class Alert extends ManagedResource {
  /**
   * @param name name of the resource in the program
   * @param args what the alert shall be
   * @param opts options of the resource
   */
  constructor(name: string, args: AlertArgs, opts?: pulumi.CustomResourceOptions) {
    super(alertResource, name, args, opts);
  }

  /**
   * An alert that exists already, to be read and not managed. Fails if the service does not have it.
   *
   * @param name name of the resource in the program
   * @param id id of the alert
   * @param place where it is, if not where the settings say
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    place?: PlaceArgs,
    opts?: pulumi.CustomResourceOptions,
  ): Alert {
    return new Alert(name, existing(place), { ...opts, id });
  }
}
