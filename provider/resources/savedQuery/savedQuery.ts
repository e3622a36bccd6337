import { resourceOf } from "../../lifecycle/lifecycle";
import { inService } from "../../lifecycle/scope";
import { type Data, pick } from "../../values/data";
import { type Static, Type } from "../../values/schemaBuilders";
import { notBlank, parameterValues, queryText } from "./queryText";

/** Inputs of a saved query, from the product's documents: the API document does not describe it. */
export const savedQueryInputs = inService({
  /**
   * Adopts the existing saved query with this id instead of creating one. Has no effect once the query is in state; a change
   * that replaces the query is refused while it is declared.
   */
  adoptId: Type.Optional(Type.String({ minLength: 1, sent: "never", replaces: true })),
  /** Name of the query, which no other saved query of the service has. Default: the name of the resource. */
  name: Type.Optional(Type.String(notBlank)),
  /**
   * SQL of the query, up to 4,194,304 characters: a text, or a file in UTF-8 as a `FileAsset` or `StringAsset`. The state
   * holds the text, so that previews show which of its lines change.
   */
  sql: Type.String(queryText),
  /** Database in which the query runs. */
  database: Type.String(notBlank),
  /** Values of the parameters of the query, by their names. Default: none. */
  parameters: Type.Optional(Type.Record(Type.String(), Type.String(), parameterValues)),
});

/** A saved query has no outputs beyond its inputs. */
export const savedQueryOutputs = Type.Object({});

type Inputs = Static<typeof savedQueryInputs>;

/** Lifecycle of a saved query. */
export const savedQueryResource = resourceOf<Inputs>({
  type: "SavedQuery",
  noun: "saved query",
  inputs: savedQueryInputs,
  outputs: savedQueryOutputs,
  scope: "service",
  operations: {
    create: "createSavedQuery",
    list: "listSavedQueries",
    get: "getSavedQuery",
    update: "updateSavedQuery",
    delete: "deleteSavedQuery",
  },
  namedBy: "name",

  decode,

  // Lists show neither the SQL nor the parameters, so each query is read by itself.
  sureMember: "sql",
});

function decode(answer: Data) {
  return { inputs: pick(answer, ["name", "sql", "database", "parameters"]), outputs: {} };
}
