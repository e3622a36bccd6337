/** Least length of a secret that is hidden everywhere in messages: a shorter text could occur by chance. */
const shortestHidden = 4;

/** Length of the pieces of a longer secret that are hidden, too: messages cut long texts, and a service may repeat one line. */
const longestPiece = 100;

/** Takes the place of an error text from a server that contains a short secret. */
const withheld = "the server's words are withheld, since they repeat a secret";

/** The secret values of a program, which no message may repeat. */
export class SecretTexts {
  readonly #pieces = new Set<string>();
  /** Secrets so short that they could occur in a message by chance, which are hidden in fewer places. */
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

  /** Hides secrets in this package's own message: a short one only in quotes, since it could occur by chance. */
  readonly hide = (message: string): string => {
    let shown = this.#withoutPieces(message);
    for (const text of this.#short) shown = shown.replaceAll(JSON.stringify(text), '"[hidden]"');
    return shown;
  };

  isIn(text: string): boolean {
    const quoted = JSON.stringify(text);
    return this.hide(quoted) !== quoted;
  }

  /** Hides the secrets in an error text from a server. If it contains a short secret, the whole text is replaced. */
  readonly hideInAnswer = (words: string): string =>
    [...this.#short].some((text) => words.includes(text)) ? withheld : this.#withoutPieces(words);

  #withoutPieces(text: string): string {
    return redact(
      text,
      [...this.#pieces].sort((a, b) => b.length - a.length),
    );
  }
}

/** Removes from the message and stack of an error whatever `hide` removes from texts. */
export function hiddenIn<Thrown>(error: Thrown, hide: (text: string) => string): Thrown {
  if (error instanceof Error)
    Object.assign(error, { message: hide(error.message), stack: hide(error.stack ?? "") });
  return error;
}

/**
 * The secret texts in a request body: those in properties with the names in `members`, at any depth.
 * @param plain names of properties inside these that are no secrets by themselves, such as a user name. Default: none
 */
export function secretsIn(
  body: unknown,
  members: readonly string[],
  plain: readonly string[] = [],
): string[] {
  return textsOf(body, members, plain)
    .flatMap(withPath)
    .filter(({ length }) => length >= shortestHidden);
}

function textsOf(value: unknown, members: readonly string[], plain: readonly string[]): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    members.includes(name) ? textsIn(member, plain) : textsOf(member, members, plain),
  );
}

/** The forms of a secret address: a server may repeat it with another form of its host, or repeat the secret path alone. */
function withPath(text: string): string[] {
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return [text];
  const { pathname, search } = new URL(text);
  return [text, pathname + search, pathname];
}

function textsIn(value: unknown, plain: readonly string[]): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  const members = Object.entries(value).filter(([name]) => !plain.includes(name));
  return members.flatMap(([, member]) => textsIn(member, plain));
}

/**
 * Removes secrets from a text of a server or library: plain, with any characters escaped (`\u00XX`, `\xXX`, `%XX`, `&#NN;`,
 * `&#xNN;`, `&amp;` and the like, a backslash before it), in base64, and in hexadecimal digits.
 */
export function redact(text: string, secrets: readonly string[]): string {
  // Patterns for escaped secrets are used only for texts that contain an escape, since compiling them takes Node.js a tenth of
  // a second.
  const form = /[\\%&]/.test(text) ? "escaped" : "plain";
  return secrets
    .map(patternsOf)
    .flatMap(({ encoded, ...forms }) => [forms[form], ...encoded])
    .reduce((hidden, pattern) => hidden.replace(pattern, "[hidden]"), text);
}

interface Patterns {
  /** Matches the plain secret, for texts without escape sequences. */
  readonly plain: RegExp;
  /** Matches the secret with any of its characters escaped, for texts with escape sequences. */
  readonly escaped: RegExp;
  /** Patterns that match the secret in base64 and in hexadecimal digits. */
  readonly encoded: readonly RegExp[];
}

/** The patterns that find the secrets of this process in texts, kept since building them takes a while. */
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

/** A regular expression for a secret with any of its characters escaped, up to several times over. */
function escapedPattern(text: string): string {
  // Backslashes in a row become one part of the regular expression: separate parts could match them in exponentially many ways.
  const parts = text.match(/\\+|[^\\]/gu) ?? [];
  return parts.map((part) => (part[0] === "\\" ? backslashes(part.length) : characterPattern(part))).join("");
}

function backslashes(count: number): string {
  return `(?:(?:${encodedForms("\\")}){${count}}|\\\\{${count},${8 * count}})`;
}

function characterPattern(character: string): string {
  return `(?:${encodedForms(character)}|\\\\{0,8}${plainCharacter(character)})`;
}

/** A pattern for one character of a secret. A space also matches as a plus, which form encoding writes for it. */
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
  const code = character.codePointAt(0) ?? 0;
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  const name = names[character];
  return [
    units.map((unit) => `\\\\{1,8}(?:u\\{?0{0,4}|x)${hexadecimal(unit)}\\}?`).join(""),
    `%(?:25){0,3}${hexadecimal(code)}`,
    [...Buffer.from(character)].map((byte) => `%(?:25){0,3}${hexadecimal(byte)}`).join(""),
    `&(?:amp;){0,3}#(?:0{0,6}${code}|[xX]0{0,6}${hexadecimal(code)});?`,
    ...(name ? [`&(?:amp;){0,3}${name};`] : []),
  ].join("|");
}

/** A pattern for a number in hexadecimal digits, which may be in capitals, while other letters of a secret keep their case. */
function hexadecimal(code: number): string {
  const digits = code.toString(16).padStart(2, "0");
  return digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

/** A secret in base64, and the part of it that stays the same wherever the secret stands in a longer text in base64. */
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
