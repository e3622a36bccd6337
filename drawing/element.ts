/** A piece of finished markup. It has a class of its own, so that a text can never be taken for markup. */
export class Markup {
  constructor(readonly source: string) {}
}

/** The content of an element. Texts are escaped. */
export type Content = Markup | string | undefined | readonly Content[];

/** Attributes by name. An attribute that is undefined is left out; numbers are rounded to hundredths. */
export interface Attributes {
  readonly [name: string]: string | number | undefined;
}

/** Makes an element of SVG or HTML. Texts and values of attributes are escaped, so that they never become markup. */
export function element(name: string, attributes: Attributes = {}, ...content: readonly Content[]): Markup {
  const written = Object.entries(attributes).flatMap(([attribute, value]) =>
    value === undefined
      ? []
      : [` ${attribute}="${escaped(typeof value === "number" ? rounded(value) : value)}"`],
  );
  const inner = sourceOf(content);
  const open = `<${name}${written.join("")}`;
  return new Markup(inner === "" ? `${open}/>` : `${open}>${inner}</${name}>`);
}

/** The markup of some content. */
export function sourceOf(content: Content): string {
  if (content === undefined) return "";
  if (content instanceof Markup) return content.source;
  return typeof content === "string" ? escaped(content) : content.map(sourceOf).join("");
}

/** A number in the form for attributes and paths: `12.35`, never `-0` or `1e-7`. */
export function rounded(value: number): string {
  return String(Math.round(value * 100) / 100 || 0);
}

const entities: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return harmless(text).replace(/[&<>"']/g, (character) => entities[character] ?? "");
}

/**
 * Replaces each character that no document may contain (most control characters, halves of surrogates) or that would
 * reverse the text around it (bidirectional overrides, embeddings and isolates).
 */
export function harmless(text: string): string {
  return text
    .replace(/[\t\n\r\u2028\u2029]+/g, " ")
    .replace(/[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\u202A-\u202E\u2066-\u2069]/gu, "\uFFFD");
}
