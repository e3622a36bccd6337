import { ownMember } from "../../values/data";
import { nearest } from "../../values/nearest";
import { quoted } from "../../values/wording";

/** The variables of a body template, with the first version of ClickStack that fills them in; undefined if all versions do. */
const variables: { readonly [name: string]: string | undefined } = {
  ...sinceOf(undefined, ["title", "body", "link", "state", "startTime", "endTime", "eventId"]),
  ...sinceOf("2.38", ["startTimeISO", "endTimeISO", "alertId", "status", "alertType", "comparator"]),
  ...sinceOf("2.38", ["threshold", "thresholdMax", "value", "groupKey", "sourceQuery", "teamId", "note"]),
  ...sinceOf("2.42", ["var"]),
  ...sinceOf("2.43", ["tags"]),
};

function sinceOf(version: string | undefined, names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, version]));
}

/** First words of an expression that are no variables: helper functions of Handlebars and of the service. */
const helpers = ["if", "unless", "each", "with", "else", "lookup", "log", "eq"];

/** Handlebars blocks that change the context, so that names inside are not variables of the alert. */
const entering = ["each", "with"];

/** The names in a body template that the service does not know, each with the most similar known name. */
export function unknownVariables(template: string): string[] {
  const names = Object.keys(variables);
  return [...new Set(namesIn(template))]
    .filter((name) => !names.includes(name))
    .map((name) => {
      const suggestion = nearest(name, names);
      return `body names ${quoted(`{{${name}}}`)}, which is no variable of alerts: ${suggestion ? `did you mean {{${suggestion}}}?` : "the service sends nothing in its place"}`;
    });
}

/** The variables in a webhook's body template that an older server may lack, with the first version that has each. */
export function newerVariables(template: string): { readonly name: string; readonly since: string }[] {
  return [...new Set(namesIn(template))].flatMap((name) => {
    const since = ownMember(variables, name);
    return typeof since === "string" ? [{ name, since }] : [];
  });
}

/** Matches a tag of Handlebars, with a backslash before it that makes it plain text. A comment tag may contain braces. */
const tag = /(\\?)\{\{\{?~?(!--[\s\S]*?--|[^{}~]*)~?\}?\}\}/g;

/** The variables of an alert that a webhook's body template uses: the first part of each path. */
function namesIn(template: string): string[] {
  const names: string[] = [];
  const blocks: boolean[] = [];
  for (const [, backslash, inside = ""] of template.matchAll(tag)) {
    const [, sign = "", expression = ""] = /^\s*([#^/&!>]?)\s*([\s\S]*)$/.exec(inside) ?? [];
    if (backslash || sign === "!" || sign === ">") continue;
    if (sign === "/") {
      blocks.pop();
      continue;
    }
    if (!blocks.includes(true)) names.push(...variablesIn(expression));
    const [first = ""] = expression.split(/\s/, 1);
    // A Handlebars block with the name of a variable is a loop over the variable, so names inside it are not variables of the
    // alert.
    const isBlock = sign === "#" || (sign === "^" && first !== "");
    if (isBlock) blocks.push(entering.includes(first) || !helpers.includes(first));
  }
  return names;
}

/** The variables in one expression of a webhook's body template, without texts, numbers and names of options. */
function variablesIn(expression: string): string[] {
  const words = expression
    .replace(/"[^"]*"|'[^']*'/g, " ")
    .replace(/\bas\s*\|[^|]*\|/, " ")
    .split(/[\s()]+|(?<==)/);
  return words
    .filter((word) => /^[a-z_$]/i.test(word) && !word.endsWith("="))
    .map((word) => word.split(/[./[]/, 1)[0] ?? "")
    .filter(
      (word) => !helpers.includes(word) && !["this", "true", "false", "null", "undefined"].includes(word),
    );
}
