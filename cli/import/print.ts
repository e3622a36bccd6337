import { isObject } from "../../provider/values/data";
import { printable } from "../../provider/values/printable";

/** Source code that is printed unchanged in the place of a value in the generated program. */
export class Expression {
  constructor(readonly code: string) {}
}

/** A value that the compiler would not accept in its place, so the generated program has to cast it. */
export class Unchecked {
  constructor(readonly value: unknown) {}
}

/** Maximum number of characters of a line in the generated program, as in most formatters. */
export const longestLine = 100;

/** Prints a value as source code in the layout of formatters: a line per property, and one for a short list of plain values. */
export function printValue(value: unknown, indent = "", column = 0): string {
  if (value instanceof Expression) return value.code;
  if (value instanceof Unchecked) return `${printValue(value.value, indent, column)} as never`;
  if (typeof value === "string") return quotedText(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const entries = value.map((entry) => printValue(entry, inner, inner.length));
    const flat = `[${entries.join(", ")}]`;
    // The comma that follows the printed value in the generated code has to fit into the line, too.
    const fits = column + flat.length < longestLine && !flat.includes("\n");
    return fits ? flat : block("[", entries, "]", indent);
  }
  if (!isObject(value)) return String(value);
  const members = Object.entries(value).map(([name, member]) => {
    if (member instanceof Expression && member.code === name) return name;
    const start = `${memberName(name)}:`;
    const column = inner.length + start.length + 1;
    const source = printValue(member, inner, column);
    // After a short property name, moving the value to the next line would gain too little, so it stays.
    const isSingle = typeof member === "string" || member instanceof Expression;
    const breaks = isSingle && column + source.length >= longestLine && start.length > 5;
    return `${start}${breaks ? `\n${inner}  ` : " "}${source}`;
  });
  return members.length === 0 ? "{}" : block("{", members, "}", indent);
}

function block(open: string, lines: readonly string[], close: string, indent: string): string {
  return `${open}\n${lines.map((line) => `${indent}  ${line},\n`).join("")}${indent}${close}`;
}

/** The name of an object's property as source code. It may come from the service, so it is quoted if it is no identifier. */
export function memberName(name: string): string {
  // In generated code, a key `__proto__` without brackets would set the object's prototype.
  if (name === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quotedText(name);
}

/** A text as source code, in the kind of quotes that needs fewer escapes, or else in double quotes. */
export function quotedText(text: string): string {
  const json = printable(JSON.stringify(text));
  const count = (quote: string) => text.split(quote).length - 1;
  if (count('"') <= count("'")) return json;
  return `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
