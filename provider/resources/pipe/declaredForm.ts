import { isAbsent } from "../../values/compare";
import { isObject, type PropertyMap, pick, withoutMembers } from "../../values/data";
import { partOf } from "../../values/schema";
import type { TSchema } from "../../values/schemaBuilders";
import { isDatabase, type Source, sourceIn } from "./kinds";
import { pipeInputs, schemaOfSource } from "./pipeInputs";
import { isBeingScaled, wishedState } from "./pipeStates";
import { declaredForm, mappingsIn } from "./tableMappings";

/**
 * Translates an answer about a pipe to what a program declares: members that no program declares, such as the user in a
 * database address, are left out, and declared ones that no answer shows are added.
 */
export function declaredFormOf(answer: PropertyMap, declared: PropertyMap): PropertyMap {
  const source = sourceIn(answer);
  // A status that is neither running nor stopped, such as `Completed`, does not contradict the declared `state` of the pipe.
  const state = answer.state === undefined ? undefined : (wishedState(answer.state) ?? declared.state);
  const ofStreams = ["fieldMappings", "scaling", "settings"];
  const names = ["name", "destination", ...(isDatabase(source?.kind ?? "") ? [] : ofStreams)];
  const known = pick(withoutNulls(answer) as PropertyMap, names);
  const members = partOf(pipeInputs, known, isKnown) as PropertyMap;
  const { scaling, ...others } = members;
  return {
    ...others,
    ...(isObject(scaling) && scalingOf(scaling, declared.scaling)),
    ...(isObject(members.destination) && {
      destination: destinationOf(members.destination, source, declared.destination),
    }),
    ...(source && { source: { [source.kind]: membersOf(source, answer, sourceIn(declared)) } }),
    ...(state !== undefined && { state }),
  };
}

/** The scaling of a pipe as a program declares it. While a pipe is being scaled, the declared number of replicas stays. */
function scalingOf(shown: PropertyMap, declared: unknown): PropertyMap {
  if (!isBeingScaled(shown)) return { scaling: shown };
  return isObject(declared) ? { scaling: { ...shown, ...pick(declared, ["replicas"]) } } : {};
}

/** Whether the provider's schema of a pipe describes a member. Undescribed members have no type. */
const isKnown = ({ type }: TSchema) => type !== undefined;

function membersOf(
  { kind, members: shown }: Source,
  { id }: PropertyMap,
  declared: Source | undefined,
): PropertyMap {
  const schema = schemaOfSource(kind);
  const own = declared?.kind === kind ? declared.members : {};
  const members = partOf(schema, withoutNulls(shown), isKnown) as PropertyMap;
  const { consumerGroup, uri, tableMappings, ...others } = members;
  return {
    ...others,
    // A consumer group that the service has named after the pipe's id is left out of the pipe's inputs, unless the program
    // declares it.
    ...(consumerGroup !== undefined &&
      (own.consumerGroup !== undefined || consumerGroup !== `clickpipes-${id}`) && { consumerGroup }),
    // An address in an answer of the API shows that the pipe has credentials: `mongodb://***@host`. The program declares it
    // without them.
    ...(typeof uri === "string" && { uri: uri.replace(/\/\/[^/@]*@/, "//") }),
    ...(tableMappings !== undefined && { tableMappings: declaredForm(mappingsIn(members), mappingsIn(own)) }),
    ...pick(own, ["protobufSchema"]),
  };
}

function destinationOf(shown: PropertyMap, source: Source | undefined, declared: unknown): PropertyMap {
  const { tableDefinition, ...others } = shown;
  // A pipe that reads a database names its tables in the table mappings. For such a pipe, answers show an empty table name in
  // the destination, which is left out.
  const own = isDatabase(source?.kind ?? "") ? pick(others, ["database"]) : others;
  return {
    ...own,
    ...(isObject(tableDefinition) &&
      !isDatabase(source?.kind ?? "") && { tableDefinition: definitionOf(tableDefinition) }),
    ...(isObject(declared) && pick(declared, ["roles"])),
  };
}

/** An answer of the API shows a table engine in SQL, `MergeTree()`, where a program declares `MergeTree`. */
function definitionOf({ engine, ...others }: PropertyMap): PropertyMap {
  if (!isObject(engine) || typeof engine.type !== "string") return others;
  return { ...others, engine: { ...engine, type: engine.type.split("(")[0] } };
}

const withoutNulls = (value: unknown) => withoutMembers(value, (_, member) => isAbsent(member));

/** A pipe's declaration without its empty lists. The service shows an empty list even if nobody has set one. */
export const withoutEmptyLists = (value: unknown) =>
  withoutMembers(value, (_, member) => Array.isArray(member) && member.length === 0);
