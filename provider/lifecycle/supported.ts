import type { Operation } from "../api/operation";
import { type Data, isObject } from "../values/data";
import { annotationsOf, schemaAt } from "../values/schema";
import type { TSchema } from "../values/schemaBuilders";
import { failuresWithin } from "./memberFailures";
import type { Session } from "./session";
import type { Failure } from "./validate";

/** Declared members, at any depth, that only another dialect or another API has. */
export function unsupportedMembers(schema: TSchema, value: unknown, session: Session): Failure[] {
  return failuresWithin(schema, value, (own, _member, path) => {
    const missing = missingSetting(own, session);
    return missing ? [{ path, message: missing }] : [];
  });
}

/** What a program can declare under these settings: the data without members that are not supported, at any depth. */
export function supportedPart(schema: TSchema, data: Data, session: Session): Data {
  return partOf(schema, data, (member) => !missingSetting(member, session)) as Data;
}

/**
 * What requests to an API take of what a service shows, at any depth. What it shows it knows, whatever the dialect says;
 * only members of the other API alone are no part of it.
 */
export function writablePart(schema: TSchema, data: Data, api: Operation["api"]): Data {
  return partOf(schema, data, (member) => (annotationsOf(member).via ?? api) === api) as Data;
}

/** The members, at any depth, whose schemas are accepted. */
function partOf(schema: TSchema, value: unknown, accepts: (member: TSchema) => boolean): unknown {
  const inside = (key: string | number, member: unknown) => partOf(schemaAt(schema, key), member, accepts);
  if (Array.isArray(value)) return value.map((entry, index) => inside(index, entry));
  if (!isObject(value)) return value;
  const accepted = Object.entries(value).filter(([name]) => accepts(schemaAt(schema, name)));
  return Object.fromEntries(accepted.map(([name, member]) => [name, inside(name, member)]));
}

function missingSetting(schema: TSchema, { settings, observabilityVia }: Session): string | undefined {
  const { dialect, via } = annotationsOf(schema);
  if (dialect && dialect !== settings.dialect) return `needs the setting dialect to be ${dialect}`;
  if (via && via !== observabilityVia) return `needs the setting observabilityVia to be ${via}`;
  return undefined;
}
