/**
 * The sentence in which a server says what is wrong, from any of the bodies that the two APIs and the gateways before
 * them answer with: `{error}`, `{message}`, nested ones, plain text, an HTML page, or nothing. `hide` takes credentials
 * out of it.
 */
export function serverMessage(body: unknown, hide: (text: string) => string): string | undefined {
  // Hidden before anything is cut off: half of a secret would not be recognised.
  const text = hide(find(body) ?? "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  if (!text) return undefined;
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

function find(body: unknown): string | undefined {
  if (typeof body === "string") return fromText(body);
  if (Array.isArray(body)) return body.map(find).filter(Boolean).join("; ");
  if (typeof body !== "object" || body === null) return undefined;
  const { error, message, errors, detail, title } = body as Record<string, unknown>;
  return find(error) ?? find(message) ?? find(errors) ?? find(detail) ?? find(title);
}

function fromText(text: string): string | undefined {
  if (!/<[a-z!]/i.test(text)) return text || undefined;
  // A page of a gateway: its title and its visible text are all that can help.
  return text
    .replace(/<(script|style|head)\b[\s\S]*?<\/\1>/gi, " ")
    .replace(/<[^>]*>/g, " ")
    .replace(/&nbsp;/g, " ");
}
