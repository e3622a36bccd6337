import { Type } from "@sinclair/typebox";

/** Texts that are not blank. */
export const filled = (longest?: number) =>
  Type.String({ minLength: 1, pattern: "\\S", ...(longest !== undefined && { maxLength: longest }) });

/** The members that name a query, those of endpoints and of saved ones. */
export const namedQuery = { name: filled(), sql: filled(4_194_304), database: filled() };

/** Default values of the parameters of a query. */
export const parameters = Type.Record(Type.String(), Type.String());
