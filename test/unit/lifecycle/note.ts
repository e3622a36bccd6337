import { Type } from "@sinclair/typebox";
import type { Settings } from "../../../provider/api/settingsSchema";
import type { CreatedObject, Creating, Definition, Look } from "../../../provider/lifecycle/definition";
import { resourceOf } from "../../../provider/lifecycle/lifecycle";
import type { Resource } from "../../../provider/lifecycle/resource";
import type { Context } from "../../../provider/lifecycle/scope";
import { Session } from "../../../provider/lifecycle/session";
import type { LiveState, Observed } from "../../../provider/lifecycle/state";
import type { PropertyMap } from "../../../provider/values/data";
import { oneOf } from "../../../provider/values/schema";
import { settingsFor } from "../api/server";

/** The inputs of the test resource `Note`, with one property of each kind that the lifecycle treats differently. */
export const noteInputs = Type.Object(
  {
    organizationId: Type.Optional(
      Type.String({ pattern: "^[0-9a-f-]{36}$", sent: "never", replaces: "declared" }),
    ),
    serviceId: Type.Optional(
      Type.String({ pattern: "^[0-9a-f-]{36}$", sent: "never", replaces: "declared" }),
    ),
    adoptId: Type.Optional(Type.String({ minLength: 1, sent: "never", replaces: "declared" })),
    title: Type.String({ minLength: 1 }),
    size: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })),
    zone: Type.Optional(Type.String({ replaces: true })),
    tone: Type.Optional(oneOf(["dark", "light"])),
    pinned: Type.Optional(Type.Boolean()),
    labels: Type.Optional(Type.Array(Type.String(), { uniqueItems: true, minItems: 1, comparison: "set" })),
    origins: Type.Optional(
      Type.Union([Type.String(), Type.Array(Type.String())], {
        comparison: "commaSeparatedSet",
        rule: "a list of origins, or a string of them separated by commas",
      }),
    ),
    until: Type.Optional(
      Type.Union([Type.String({ pattern: "^\\d{4}-" }), Type.Null()], {
        comparison: "instant",
        rule: "a date, or null for never",
      }),
    ),
    readers: Type.Optional(
      Type.Array(
        Type.Object(
          { name: Type.String({ secret: true }), rights: Type.Optional(Type.Array(Type.String())) },
          { additionalProperties: false },
        ),
      ),
    ),
    frame: Type.Optional(
      Type.Object(
        {
          x: Type.Number({ minimum: 0, multipleOf: 0.5 }),
          y: Type.Number(),
          extra: Type.Optional(Type.Unknown()),
        },
        { additionalProperties: false },
      ),
    ),
    colour: Type.Optional(Type.String({ deprecated: "use tone." })),
  },
  { additionalProperties: false },
);

/** The requests for notes, and their answers. */
export interface Service {
  create(creating: Creating): Promise<CreatedObject>;
  look(look: Look): Promise<Observed>;
  send(id: string, body: PropertyMap, context: Context): Promise<PropertyMap>;
}

/** The parts of the test resource `Note` that a test replaces, including the answers of the service. */
type NoteDefinition = Partial<Definition> & { readonly service?: Partial<Service> };

/**
 * Makes the test resource `Note`, which has no server: the functions in `service` answer its requests with the object's live
 * values.
 */
export function noteResource({ service = {}, ...changed }: NoteDefinition = {}): Resource {
  const notScripted = async () => {
    throw new Error("not scripted");
  };
  const { create = notScripted, look = async () => "gone" as const, send = notScripted } = service;
  return resourceOf({
    type: "Note",
    inputs: noteInputs,
    outputs: Type.Object({
      token: Type.Optional(Type.String({ secret: true })),
      seenAt: Type.Optional(Type.String()),
    }),
    noun: "note",
    scope: "service",
    operations: {
      create: "createAlert",
      get: "getAlert",
      list: "listAlerts",
      update: "updateAlert",
      delete: "deleteAlert",
    },
    decode: ({ inputs, outputs }) => ({ ...(inputs as PropertyMap), ...(outputs as PropertyMap) }),
    creation: create,
    look,
    ...(send && { send: (id, { desired }, context) => send(id, desired, context) }),
    ...changed,
  });
}

export function live(inputs: PropertyMap, outputs: PropertyMap = {}): LiveState & PropertyMap {
  return { inputs, outputs };
}

/**
 * Opens a session for the server at the given URL, by default one that does not exist, and collects its warnings and notices.
 */
export function sessionFor(changed: Partial<Settings> = {}, url = "http://127.0.0.1:1", isOffline = false) {
  const warnings: string[] = [];
  const notices: string[] = [];
  const log = {
    warn: (message: string) => void warnings.push(message),
    info: (message: string) => void notices.push(message),
  };
  const session = new Session(() => settingsFor(url, changed), log, isOffline);
  return { session, warnings, notices };
}
