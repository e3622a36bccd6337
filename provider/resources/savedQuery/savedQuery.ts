import { resourceOf } from "../../lifecycle/lifecycle";
import { adoptable, inService } from "../../lifecycle/scope";
import { Type } from "../../values/schemaBuilders";
import { notBlank, parameterValues, queryText } from "../queries/queryText";

/** Inputs of a saved query, from the documentation of ClickHouse Cloud, since the API document does not describe it. */
export const savedQueryInputs = inService({
  /**
   * Adopts the existing saved query with this id instead of creating one. Has no effect once the query is in the Pulumi state;
   * a change that replaces the query is refused while `adoptId` is declared.
   */
  adoptId: adoptable,
  /** Name of the saved query, which must be unique within the service. Default: the name of the resource. */
  name: Type.Optional(Type.String(notBlank)),
  /**
   * SQL of the saved query, up to 4,194,304 characters: a text, or a file in UTF-8 as a `FileAsset` or `StringAsset`. The
   * Pulumi state holds the text, so that previews show which lines of the SQL change.
   */
  sql: Type.String(queryText),
  /** Database in which the saved query runs. */
  database: Type.String(notBlank),
  /** Values of the parameters in the saved query, by their names. Default: none. */
  parameters: Type.Optional(Type.Record(Type.String(), Type.String(), parameterValues)),
});

/** A saved query has no outputs beyond its inputs. */
export const savedQueryOutputs = Type.Object({});

export const savedQueryResource = resourceOf({
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

  // Lists of saved queries show neither SQL nor parameters, so each query is read by a request of its own.
  completenessField: "sql",
});
