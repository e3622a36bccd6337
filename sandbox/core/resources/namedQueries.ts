import { Type } from "@sinclair/typebox";

/** The schema of a text with at least one character that is no space. */
export const filled = (longest?: number) =>
  Type.String({ minLength: 1, pattern: "\\S", ...(longest !== undefined && { maxLength: longest }) });

/** The properties that describe a query, of query API endpoints and saved queries. */
export const namedQuery = { name: filled(), sql: filled(4_194_304), database: filled() };

/** The schema of a query's parameters: their default values, by name. */
export const parameters = Type.Record(Type.String(), Type.String());
