import { Type } from "@sinclair/typebox";

/** Makes the schema of a text with at least one character that is no space. */
export const filled = (longest?: number) =>
  Type.String({ minLength: 1, pattern: "\\S", ...(longest !== undefined && { maxLength: longest }) });

/** The schemas of the properties that query API endpoints and saved queries share. */
export const namedQuery = { name: filled(), sql: filled(4_194_304), database: filled() };

/** The schema of a query's parameters: each name with its default value. */
export const parameters = Type.Record(Type.String(), Type.String());
