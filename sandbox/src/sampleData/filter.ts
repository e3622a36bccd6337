import { badRequest } from "../apiError";
import type { Source } from "../records";
import { sampleContents } from "./contents";

/** A column that has to have a value, or has to have another one. */
export interface Condition {
  column: string;
  value: string;
  negated: boolean;
}

const condition = /\s*(NOT\s+|-)?([\w.]+):(?:"([^"]*)"|([\w./-]+))\s*/y;

/**
 * Reads a filter: nothing, or conditions `column:value`, which `NOT` or `-` turns round, joined by `AND` or a blank. A value with
 * other characters than letters, digits and `_ . / -` stands in double quotes.
 * @param path what an error calls the filter, such as `series.0.where`
 */
export function parseFilter(where: string, kind: Source["kind"], path: string): Condition[] {
  const conditions: Condition[] = [];
  const text = where.trim();
  for (let position = 0; position < text.length; ) {
    condition.lastIndex = position;
    const [all, negation, column = "", quoted, plain = ""] = condition.exec(text) ?? [];
    if (all === undefined) {
      throw badRequest(
        `${path}: the sandbox understands column:value, NOT column:value, and these joined by AND; ${columnsOf(kind)}`,
      );
    }
    checkColumn(column, kind, path);
    conditions.push({ column, value: quoted ?? plain, negated: negation !== undefined });
    position += all.length;
    const joint = /^AND\s+(?=\S)/.exec(text.slice(position));
    position += joint?.[0].length ?? 0;
  }
  return conditions;
}

/** Refuses a column that the data of such a source has not. */
export function checkColumn(column: string, kind: Source["kind"], path: string): void {
  if (Object.hasOwn(sampleContents[kind].columns, column)) return;
  throw badRequest(`${path}: the sandbox has no column ${column}; ${columnsOf(kind)}`);
}

function columnsOf(kind: Source["kind"]): string {
  return `columns of a ${kind} source: ${Object.keys(sampleContents[kind].columns).join(", ")}`;
}
