import type { TSchema } from "../typebox";
import { type Data, isObject } from "./data";
import { annotationsOf, joinPath, schemaAt } from "./schema";
import type { Session } from "./session";
import type { Failure } from "./validate";

/** Declared members, at any depth, that only another dialect or another API has. */
export function unsupportedMembers(schema: TSchema, value: unknown, session: Session, path = ""): Failure[] {
  return entriesOf(value).flatMap(([key, member]) => {
    const own = schemaAt(schema, key);
    const place = joinPath(path, key);
    const missing = missingSetting(own, session);
    return missing ? [{ path: place, message: missing }] : unsupportedMembers(own, member, session, place);
  });
}

/** What a program can declare under these settings: the data without members that are not supported, at any depth. */
export function supportedPart(schema: TSchema, data: Data, session: Session): Data {
  return supported(schema, data, session) as Data;
}

function supported(schema: TSchema, value: unknown, session: Session): unknown {
  const inside = (key: string | number, member: unknown) => supported(schemaAt(schema, key), member, session);
  if (Array.isArray(value)) return value.map((entry, index) => inside(index, entry));
  if (!isObject(value)) return value;
  const known = Object.entries(value).filter(([name]) => !missingSetting(schemaAt(schema, name), session));
  return Object.fromEntries(known.map(([name, member]) => [name, inside(name, member)]));
}

function missingSetting(schema: TSchema, { settings, observabilityVia }: Session): string | undefined {
  const { dialect, via } = annotationsOf(schema);
  if (dialect && dialect !== settings.dialect) return `needs the setting dialect to be ${dialect}`;
  if (via && via !== observabilityVia) return `needs the setting observabilityVia to be ${via}`;
  return undefined;
}

function entriesOf(value: unknown): (readonly [string | number, unknown])[] {
  if (Array.isArray(value)) return [...value.entries()];
  return isObject(value) ? Object.entries(value) : [];
}
