import { printable } from "./printable";

/** More than a message ever needs; a page of any length takes a moment then. */
const longestText = 16_384;

/**
 * The sentence in which a server says what is wrong, from any of the bodies that the two APIs and the gateways before
 * them answer with: `{error}`, `{message}`, nested ones, plain text, an HTML page, or nothing. `hide` takes credentials
 * out of it.
 */
export function serverMessage(body: unknown, hide: (text: string) => string): string | undefined {
  // Hidden before anything is taken out or cut off: what is left of a secret would not be recognised.
  const whole = hide(find(body) ?? "").slice(0, longestText);
  const text = (/<[a-z!]/i.test(whole) ? visibleText(whole) : whole).replace(/[\s\p{Cc}]+/gu, " ").trim();
  if (!text) return undefined;
  return printable(text.length > 300 ? `${text.slice(0, 300)}…` : text);
}

function find(body: unknown): string | undefined {
  if (typeof body === "string") return body || undefined;
  if (Array.isArray(body)) return body.map(find).filter(Boolean).join("; ");
  if (typeof body !== "object" || body === null) return undefined;
  const { error, message, errors, detail, title } = body as Record<string, unknown>;
  return find(error) ?? find(message) ?? find(errors) ?? find(detail) ?? find(title);
}

/** Elements whose text nobody sees. */
const invisible = ["script", "style", "head"];

/** What a page of a gateway shows: all of it that can help. */
function visibleText(page: string): string {
  let inside: string | undefined;
  // The odd parts are the tags.
  const parts = page.split(/(<[^<>]*>)/).map((part, index) => {
    if (index % 2 === 0) return inside === undefined ? part : "";
    const [, end, name = ""] = /^<(\/?)([a-z]*)/.exec(part.toLowerCase()) ?? [];
    if (end && name === inside) inside = undefined;
    else if (!end && invisible.includes(name)) inside ??= name;
    return " ";
  });
  return parts.join("").replaceAll("&nbsp;", " ");
}
