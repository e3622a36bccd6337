import { Type } from "@sinclair/typebox";

/** The schema of a text that is not blank. */
export const filled = (longest?: number) =>
  Type.String({ minLength: 1, pattern: "\\S", ...(longest !== undefined && { maxLength: longest }) });

/** The properties that describe a query, of query API endpoints and saved queries. */
export const namedQuery = { name: filled(), sql: filled(4_194_304), database: filled() };

/** The schema of default values for the parameters of a query. */
export const parameters = Type.Record(Type.String(), Type.String());
