const numbers: { readonly [digits: string]: string } = {
  ...{ 1: "One", 2: "Two", 5: "Five", 6: "Six", 7: "Seven" },
  ...{ 10: "Ten", 12: "Twelve", 15: "Fifteen", 28: "TwentyEight", 30: "Thirty" },
};
const units: { readonly [letter: string]: string } = { s: "Second", m: "Minute", h: "Hour", d: "Day" };
const operators: { readonly [sign: string]: string } = {
  ...{ "=": "Equal", "!=": "NotEqual", "=~": "Matches", "!~": "NotMatches" },
  ...{ "<": "Less", "<=": "LessOrEqual", ">": "Greater", ">=": "GreaterOrEqual" },
};

/** The name that a value of an enumeration gets in SDKs: `FiveMinutes` for `5m`, `AboveExclusive` for `above_exclusive`. */
export function enumName(value: string): string {
  const [, digits = "", unit = ""] = /^(\d+)([smhd])$/.exec(value) ?? [];
  const count = numbers[digits];
  if (count) return `${count}${units[unit]}${count === "One" ? "" : "s"}`;
  // A number alone is a major version, as of Postgres.
  if (/^\d+$/.test(value)) return `Version${value}`;
  return operators[value] ?? pascalCase(value);
}

export function pascalCase(value: string): string {
  const words = /[a-z]/.test(value) ? value : value.toLowerCase();
  const name = words
    .split(/[^A-Za-z0-9]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");
  if (!/^[A-Za-z]\w*$/.test(name))
    throw new Error(
      `the SDKs have no name for the value ${value} of an enumeration; add one to enumNames.ts`,
    );
  return name;
}
