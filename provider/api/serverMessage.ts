import { printable } from "../values/printable";

/** Maximum number of characters of an error page that are read, which bounds the time for a long page. */
const longestText = 16_384;

/** The reason in a refusal's body, in any form that APIs and gateways send: `{error}`, `{message}`, nested, text, HTML. */
export function serverMessage(body: unknown, hide: (text: string) => string): string | undefined {
  // Credentials are removed before the reason of a refusal is cut short, since a part of a secret would not be recognised.
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

/** HTML elements whose text browsers do not show. */
const invisible = ["script", "style", "head"];

/** The visible text of an HTML page that came as the answer to a request. */
function visibleText(page: string): string {
  let inside: string | undefined;
  // `split` also returns the separators, so every second part of the page is an HTML tag.
  const parts = page.split(/(<[^<>]*>)/).map((part, index) => {
    if (index % 2 === 0) return inside === undefined ? part : "";
    const [, end, name = ""] = /^<(\/?)([a-z]*)/.exec(part.toLowerCase()) ?? [];
    if (end && name === inside) inside = undefined;
    else if (!end && invisible.includes(name)) inside ??= name;
    return " ";
  });
  return parts.join("").replaceAll("&nbsp;", " ");
}
