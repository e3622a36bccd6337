import { printable } from "../../api/printable";
import { isObject } from "../../lifecycle/data";

/** Source that stands as it is where a value is expected. */
export class Expression {
  constructor(readonly code: string) {}
}

const longestLine = 100;
const indentation = 2;

/**
 * A value as source, laid out as the usual formatters lay it out (2 spaces, double quotes, trailing commas, lines of
 * at most 100 characters where no single text is longer).
 *
 * @param column at which the source starts
 * @param indent of the line in which it starts
 */
export function printValue(value: unknown, column = 0, indent = 0): string {
  const flat = flatSource(value);
  // A comma, or what closes the call, may follow.
  if (!mustBreak(value) && column + flat.length + 1 <= longestLine) return flat;
  if (Array.isArray(value)) {
    const inner = indent + indentation;
    return block(
      "[",
      value.map((entry) => printValue(entry, inner, inner)),
      "]",
      indent,
    );
  }
  return isObject(value) && !(value instanceof Expression) ? printObject(value, indent) : flat;
}

/** An object over several lines. */
export function printObject(members: { readonly [name: string]: unknown }, indent = 0): string {
  const inner = indent + indentation;
  const lines = Object.entries(members).map(([member, value]) => {
    if (value instanceof Expression && value.code === member) return member;
    const name = memberName(member);
    const source = printValue(value, inner + name.length + 2, inner);
    const tooLong = inner + name.length + 2 + source.length + 1 > longestLine;
    // After a short name a line of its own would win too little.
    const breaks = isSingle(value) && tooLong && name.length >= indentation + 3;
    return breaks ? `${name}:\n${" ".repeat(inner + indentation)}${source}` : `${name}: ${source}`;
  });
  return block("{", lines, "}", indent);
}

function block(open: string, lines: readonly string[], close: string, indent: number): string {
  const inner = " ".repeat(indent + indentation);
  return `${open}\n${lines.map((line) => `${inner}${line},\n`).join("")}${" ".repeat(indent)}${close}`;
}

function flatSource(value: unknown): string {
  if (value instanceof Expression) return value.code;
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${value.map(flatSource).join(", ")}]`;
  if (!isObject(value)) return String(value);
  const members = Object.entries(value).map(([name, member]) => `${memberName(name)}: ${flatSource(member)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

/** The name of a member of an object. What a service has named is data, whatever stands in it. */
function memberName(name: string): string {
  // Without the brackets this one would set the prototype.
  if (name === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
}

/** A text in the quotes that need fewer escapes, double ones if that is equal. */
export function quoted(text: string): string {
  const json = printable(JSON.stringify(text));
  const count = (quote: string) => text.split(quote).length - 1;
  if (count('"') <= count("'")) return json;
  return `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** Formatters break a list of several objects that have several members each, however short it is. */
function mustBreak(value: unknown): boolean {
  if (value instanceof Expression) return false;
  if (Array.isArray(value)) {
    const objects = value.filter((entry) => isObject(entry) && !(entry instanceof Expression));
    const several = objects.length > 1 && objects.length === value.length;
    return (several && objects.every((entry) => Object.keys(entry).length > 1)) || value.some(mustBreak);
  }
  return isObject(value) && Object.values(value).some(mustBreak);
}

function isSingle(value: unknown): boolean {
  return typeof value === "string" || value instanceof Expression;
}
