import type { ListOperation } from "../api/operations";
import type { Reading } from "../lifecycle/lists";
import { inService, type Scope, scopeOf } from "../lifecycle/scope";
import type { Session } from "../lifecycle/session";
import { type PropertyMap, withoutMembers } from "../values/data";
import { type TArray, type TSchema, type TUnsafe, Type } from "../values/schemaBuilders";
import { counted, enumerated, plural, quoted } from "../values/wording";
import type { FunctionDefinition, ResultOf } from "./definition";

/** Arguments of all functions that read from one service. */
export const serviceArguments = inService({});

/** All objects of one kind that a service has. By default, calls of provider functions with the same settings share one request. */
export function listOf(
  operation: ListOperation,
  scope: Scope,
  session: Session,
  reading: Reading = {},
): Promise<PropertyMap[]> {
  return session.lists.read(operation, scopeOf("observability", scope, session), reading);
}

/** Makes a provider function that lists the objects of one kind, such as `getPipes`. */
export function listing<Item>(
  name: string,
  operation: ListOperation,
  item: TSchema,
  itemOf = (object: PropertyMap) => object,
): FunctionDefinition<typeof serviceArguments, TArray<TUnsafe<Item>>> {
  return {
    name,
    arguments: serviceArguments,
    result: Type.Array(Type.Unsafe<Item>(item)),
    async run(args, session) {
      const objects = await listOf(operation, args, session);
      return objects.map(itemOf) as ResultOf<TArray<TUnsafe<Item>>>;
    },
  };
}

/**
 * A value in an answer without the members that hold secrets, at any depth: a server may show what the API document does not, and
 * a new kind of source may have one, too.
 */
export function withoutSecrets<Value>(value: Value, secrets: readonly string[]): Value {
  return withoutMembers(value, (name) => secrets.includes(name)) as Value;
}

/**
 * Finds the only object that has the wanted values, such as a name. Wanted values that are undefined are ignored. If the list
 * that calls share lacks the object, the list is read again, since the same update may have created it.
 * @throws Error that names the existing objects if none matches, and the ids if several match
 */
export async function onlyOne<Item = PropertyMap>(
  read: (reading: Reading) => Promise<readonly PropertyMap[]>,
  noun: string,
  { name, ...members }: { readonly [member: string]: string | undefined },
  owner: "service" | "organization" = "service",
): Promise<Item> {
  const wanted = Object.entries({ name, ...members }).filter(([, value]) => value !== undefined);
  const isWanted = (object: PropertyMap) => wanted.every(([member, value]) => object[member] === value);
  const shared = await read({});
  const objects = shared.some(isWanted) ? shared : await read({ asOf: "now", isWhole: false });
  const matches = objects.filter(isWanted);
  const [only] = matches;
  if (only && matches.length === 1) return only as Item;
  const words = wanted.map(
    ([member, value]) => `${member === "name" ? "named" : `of ${member}`} ${quoted(value)}`,
  );
  if (only)
    throw new Error(
      `the ${owner} has ${counted(matches.length, noun)} ${words.join(" ")}: ${enumerated(matches, ["id"])}; use the id of the one that is meant`,
    );
  const description =
    objects.length === 0 ? `no ${plural(noun)} at all` : enumerated(objects, Object.keys(members));
  throw new Error(`the ${owner} has no ${noun} ${words.join(" ")}; it has ${description}`);
}
