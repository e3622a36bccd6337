/** A shorter text could stand in a message by chance. */
const shortestHidden = 4;

/** A message cuts longer texts, and a service may repeat a line of one. */
const longestPiece = 100;

/** What a message says in place of a server's words that would tell a short secret. */
const withheld = "the server's words are withheld, since they repeat a secret";

/** The values that a program keeps secret: no message repeats them. */
export class SecretTexts {
  readonly #pieces = new Set<string>();
  /** Those that could stand in a message by chance. */
  readonly #short = new Set<string>();

  add(text: string): void {
    if (text === "") return;
    if (text.length < shortestHidden) this.#short.add(text);
    for (const line of text.split(/[\r\n]+/))
      for (let at = 0; at < line.length; at += longestPiece) {
        const piece = line.slice(at, at + longestPiece).trim();
        if (piece.length >= shortestHidden) this.#pieces.add(piece);
      }
  }

  /** A message of this package without them. A short one is sought in quotes alone. */
  readonly hide = (message: string): string => {
    let shown = this.#withoutPieces(message);
    for (const text of this.#short) shown = shown.replaceAll(JSON.stringify(text), '"[hidden]"');
    return shown;
  };

  /** Whether a text is or repeats one of them. */
  isIn(text: string): boolean {
    if (this.#pieces.size + this.#short.size === 0) return false;
    const quoted = JSON.stringify(text);
    return this.hide(quoted) !== quoted;
  }

  /** Words of a server without them: none at all if a short one is among them. */
  readonly hideInAnswer = (words: string): string =>
    [...this.#short].some((text) => words.includes(text)) ? withheld : this.#withoutPieces(words);

  #withoutPieces(text: string): string {
    return redact(
      text,
      [...this.#pieces].sort((a, b) => b.length - a.length),
    );
  }
}

/** An error whose message and stack say nothing of what `hide` takes out of texts. */
export function hiddenIn<Thrown>(error: Thrown, hide: (text: string) => string): Thrown {
  if (error instanceof Error)
    Object.assign(error, { message: hide(error.message), stack: hide(error.stack ?? "") });
  return error;
}

/** The texts in these members of a body, at any depth of theirs. */
export function secretsIn(body: unknown, members: readonly string[]): string[] {
  const membersOfBody = body as { readonly [member: string]: unknown } | undefined;
  return members
    .flatMap((name) => textsIn(membersOfBody?.[name]))
    .flatMap(withPath)
    .filter(({ length }) => length >= shortestHidden);
}

/** A server may repeat an address with another form of its host, or without it: the path makes it a secret. */
function withPath(text: string): string[] {
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return [text];
  const { pathname, search } = new URL(text);
  return [text, pathname + search, pathname];
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/**
 * Text of a server or a library without these secrets: as they are, with any of their characters escaped (`\u00XX`, `\xXX`,
 * `%XX`, `&#NN;`, `&#xNN;`, `&amp;` and the like, a backslash before it), in base64, and as hexadecimal digits.
 */
export function redact(text: string, secrets: readonly string[]): string {
  // Node takes a tenth of a second to compile the patterns with escapes, which few texts have.
  const form = /[\\%&]/.test(text) ? "escaped" : "plain";
  return secrets
    .map(patternsOf)
    .flatMap(({ encoded, ...forms }) => [forms[form], ...encoded])
    .reduce((hidden, pattern) => hidden.replace(pattern, "[hidden]"), text);
}

interface Patterns {
  /** As it is, in a text that escapes nothing. */
  readonly plain: RegExp;
  /** With any of its characters escaped, or none. */
  readonly escaped: RegExp;
  /** In base64, and as hexadecimal digits. */
  readonly encoded: readonly RegExp[];
}

/** The patterns of the secrets of this process: they take a while to build. */
const patternsBySecret = new Map<string, Patterns>();

function patternsOf(secret: string): Patterns {
  const patterns = patternsBySecret.get(secret) ?? {
    plain: new RegExp([...secret].map(plainCharacter).join(""), "g"),
    escaped: new RegExp(escapedPattern(secret), "g"),
    encoded: [
      new RegExp(Buffer.from(secret).toString("hex"), "gi"),
      ...inBase64(secret)
        .flatMap((form) => [form, encodeURIComponent(form)])
        .map((form) => new RegExp(literal(form), "g")),
    ],
  };
  patternsBySecret.set(secret, patterns);
  return patterns;
}

/** Matches a text in which any character may be escaped, at most a few times over. */
function escapedPattern(text: string): string {
  // Backslashes in a row are one choice: each for itself could be tried in too many ways.
  const parts = text.match(/\\+|[^\\]/g) ?? [];
  return parts.map((part) => (part[0] === "\\" ? backslashes(part.length) : characterPattern(part))).join("");
}

function backslashes(count: number): string {
  return `(?:(?:${encodedForms("\\")}){${count}}|\\\\{${count},${8 * count}})`;
}

function characterPattern(character: string): string {
  return `(?:${encodedForms(character)}|\\\\{0,8}${plainCharacter(character)})`;
}

/** A form writes a plus for a blank. */
function plainCharacter(character: string): string {
  return character === " " ? "[ +]" : literal(character);
}

const names: { readonly [character: string]: string } = {
  "&": "amp",
  "<": "lt",
  ">": "gt",
  '"': "quot",
  "'": "apos",
};

function encodedForms(character: string): string {
  const code = character.charCodeAt(0);
  const digits = code.toString(16).padStart(2, "0");
  // In capitals or not, while the rest of the secret keeps its case.
  const hex = digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
  const name = names[character];
  return [
    `\\\\{1,8}(?:u\\{?0{0,4}|x)${hex}\\}?`,
    `%(?:25){0,3}${hex}`,
    `&(?:amp;){0,3}#(?:0{0,6}${code}|[xX]0{0,6}${hex});?`,
    ...(name ? [`&(?:amp;){0,3}${name};`] : []),
  ].join("|");
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

/** Base64 of the secret alone, and the part of it that does not depend on the text around the secret. */
function inBase64(secret: string): string[] {
  return (["base64", "base64url"] as const).flatMap((encoding) => {
    const whole = Buffer.from(secret)
      .toString(encoding)
      .replace(/={1,2}$/, "");
    const inner = [0, 1, 2].map((before) => {
      const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
      return bytes
        .subarray(0, bytes.length - (bytes.length % 3))
        .toString(encoding)
        .slice(before && before + 1);
    });
    return [whole, ...inner.filter(({ length }) => length >= 8)];
  });
}
