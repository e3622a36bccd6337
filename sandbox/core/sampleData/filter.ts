import { badRequest } from "../apiError";
import type { Source } from "../resources/sources";
import { sampleContents } from "./contents";

/** A condition of a chart query's filter: a column must have a value or, negated, must not. */
export interface Condition {
  column: string;
  value: string;
  negated: boolean;
}

const condition = /\s*(NOT\s+|-)?([\w.]+):(?:"([^"]*)"|([\w./-]+))\s*/y;

/**
 * Parses the filter of a chart query on the sample data: conditions `column:value`, negated by `NOT` or `-`, joined by `AND` or
 * a space. A value with characters other than letters, digits and `_ . / -` needs double quotes. An empty filter has no
 * conditions.
 * @param path the path of the filter in errors, such as `series.0.where`
 */
export function parseFilter(filter: string, kind: Source["kind"], path: string): Condition[] {
  const conditions: Condition[] = [];
  const text = filter.trim();
  for (let position = 0; position < text.length; ) {
    condition.lastIndex = position;
    const [match, negation, column = "", quoted, plain = ""] = condition.exec(text) ?? [];
    if (match === undefined) {
      throw badRequest(
        `${path}: write conditions as column:value or NOT column:value, joined by AND; ${columnsOf(kind)}`,
      );
    }
    checkColumn(column, kind, path);
    conditions.push({ column, value: quoted ?? plain, negated: negation !== undefined });
    position += match.length;
    const joint = /^AND\s+(?=\S)/.exec(text.slice(position));
    position += joint?.[0].length ?? 0;
  }
  return conditions;
}

export function checkColumn(column: string, kind: Source["kind"], path: string): void {
  if (Object.hasOwn(sampleContents[kind].columns, column)) return;
  throw badRequest(`${path}: unknown column ${column}; ${columnsOf(kind)}`);
}

function columnsOf(kind: Source["kind"]): string {
  return `columns of a ${kind} source: ${Object.keys(sampleContents[kind].columns).join(", ")}`;
}
