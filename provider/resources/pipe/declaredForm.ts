import { type Data, isObject, pick } from "../../values/data";
import { partOf, schemaAt } from "../../values/schema";
import type { TSchema } from "../../values/schemaBuilders";
import { isDatabase, type Source, sourceIn } from "./kinds";
import { pipeInputs } from "./pipeInputs";
import { wishedState } from "./pipeStates";
import { declaredForm, mappingsIn } from "./tableMappings";

/**
 * The members of a pipe in the form in which a program declares them: without those that no program declares, such as a connection
 * string that has a secret, and with those that a program declares and no answer shows.
 */
export function declaredFormOf(answer: Data, declared: Data): Data {
  const source = sourceIn(answer);
  // An answer that shows a state which no program declares says nothing against the declared one.
  const state = answer.state === undefined ? undefined : (wishedState(answer.state) ?? declared.state);
  const ofStreams = ["fieldMappings", "scaling", "settings"];
  const names = ["name", "destination", ...(isDatabase(source?.kind ?? "") ? [] : ofStreams)];
  const known = pick(withoutNulls(answer) as Data, names);
  const members = partOf(pipeInputs, known, isKnown) as Data;
  return {
    ...members,
    ...(isObject(members.destination) && {
      destination: destinationOf(members.destination, source, declared.destination),
    }),
    ...(source && { source: { [source.kind]: membersOf(source, answer, sourceIn(declared)) } }),
    ...(state !== undefined && { state }),
  };
}

/** Whether a schema knows a member: of others it knows no type. */
const isKnown = ({ type }: TSchema) => type !== undefined;

function membersOf({ kind, members: shown }: Source, { id }: Data, declared: Source | undefined): Data {
  const schema = schemaAt(schemaAt(pipeInputs, "source"), kind);
  const own = declared?.kind === kind ? declared.members : {};
  const members = partOf(schema, withoutNulls(shown), isKnown) as Data;
  const { consumerGroup, uri, tableMappings, ...others } = members;
  return {
    ...others,
    // The service makes one of the id of the pipe.
    ...(consumerGroup !== undefined &&
      (own.consumerGroup !== undefined || consumerGroup !== `clickpipes-${id}`) && { consumerGroup }),
    // The service shows that there are credentials.
    ...(typeof uri === "string" && { uri: uri.replace(/\/\/[^/@]*@/, "//") }),
    ...(tableMappings !== undefined && { tableMappings: declaredForm(mappingsIn(members), mappingsIn(own)) }),
    ...pick(own, ["protobufSchema"]),
  };
}

function destinationOf(shown: Data, source: Source | undefined, declared: unknown): Data {
  const { tableDefinition, ...others } = shown;
  // One of a database has tables of its own, and answers may show an empty one.
  const own = isDatabase(source?.kind ?? "") ? pick(others, ["database"]) : others;
  return {
    ...own,
    ...(isObject(tableDefinition) &&
      !isDatabase(source?.kind ?? "") && { tableDefinition: definitionOf(tableDefinition) }),
    ...(isObject(declared) && pick(declared, ["roles"])),
  };
}

/** The service writes an engine in the words of the database: `MergeTree()`. */
function definitionOf({ engine, ...others }: Data): Data {
  if (!isObject(engine) || typeof engine.type !== "string") return others;
  return { ...others, engine: { ...engine, type: engine.type.split("(")[0] } };
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
}

/** A value without the empty lists that the service shows where nothing is set. */
export function withoutEmptyLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmptyLists);
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(
    ([, member]) => !(Array.isArray(member) && member.length === 0),
  );
  return Object.fromEntries(members.map(([name, member]) => [name, withoutEmptyLists(member)]));
}
