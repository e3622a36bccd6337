import { inspect } from "node:util";
import { expect } from "chai";
import { sha256 } from "../sandbox/core/identifiers";
import type { Sandbox } from "../sandbox/index";

/** Secrets, or places to search for them, by names, such as `{ keySecret: "…" }` or `{ "the state file": "…" }`. */
export interface Named {
  readonly [name: string]: string;
}

/** Minimum number of characters of a secret that tests search for: a shorter text could occur by chance. */
const shortestSecret = 8;

/** Number of characters that a test failure shows around a found secret. */
const context = 60;

/**
 * Finds secrets in texts, in any encoding: plain, base64 (also in the middle of a longer encoded text, such as that of
 * Basic authentication), encoded for a URL, escaped for JSON, HTML or a log.
 *
 * @param secrets the secrets by name
 * @param places the texts to search, by name
 * @returns one line for each finding: `keySecret as base64 in the state file: …`
 */
export function leaksOf(secrets: Named, places: Named): string[] {
  return Object.entries(secrets).flatMap(([name, secret]) => {
    if (typeof secret !== "string" || secret.length < shortestSecret)
      throw new TypeError(`${name} is no secret to look for`);
    const forms = new Map(Object.entries(formsOf(secret)).map(([form, written]) => [written, form]));
    return [...forms].flatMap(([written, form]) =>
      Object.entries(places).flatMap(([place, text]) => {
        const at = text.indexOf(written);
        if (at < 0) return [];
        const around = text.slice(Math.max(0, at - context), at + written.length + context);
        return [`${name} as ${form} in ${place}: ${around.replace(/\s+/g, " ")}`];
      }),
    );
  });
}

/**
 * Fails if one of the secrets can be read in one of the places.
 *
 * @example
 * ```typescript
 * expectNoLeaks({ ...secretsOf(sandbox), ownKey }, { "the state": await workspace.stateFile(), "the log": result.output });
 * ```
 */
export function expectNoLeaks(secrets: Named, places: Named): void {
  expect(leaksOf(secrets, places).join("\n")).to.equal("");
}

/** Collects all secrets that a sandbox has in plain text. It only has hashes of its keys: see {@link issuedKeysIn}. */
export function secretsOf({ credentials, store }: Sandbox): Named {
  const { keySecret, accessToken } = credentials;
  const encryptionKeys = [...store.services.values()].flatMap(({ id, encryptionKey }) =>
    encryptionKey === undefined ? [] : [[`encryptionKey of ${id}`, encryptionKey] as const],
  );
  const connectionStrings = [...store.pipes.values()].flatMap(({ id, source }) =>
    // The record of a pipe keeps credentials apart from the pipe's source, except for a connection string, which only some
    // sources have.
    source.objectStorage?.connectionString
      ? [[`connectionString of ${id}`, source.objectStorage.connectionString] as const]
      : [],
  );
  const credentialsOfPipes = [...store.pipes.values()].flatMap(({ id, credentials }) =>
    textsIn(credentials).map((text, index) => [`credential ${index} of ${id}`, text] as const),
  );
  const addresses = [...store.webhooks.values()].map(({ id, url }) => [`url of ${id}`, url] as const);
  return {
    keySecret,
    accessToken,
    ...Object.fromEntries([...encryptionKeys, ...connectionStrings, ...credentialsOfPipes, ...addresses]),
  };
}

/** Lists the texts in credentials that are long enough to search for, without the names of users and keys. */
function textsIn(credentials: unknown): string[] {
  if (typeof credentials === "string") return credentials.length < shortestSecret ? [] : [credentials];
  if (typeof credentials !== "object" || credentials === null) return [];
  const secret = Object.entries(credentials).filter(([name]) => !/^(username|accessKeyId)$/.test(name));
  return secret.flatMap(([, value]) => textsIn(value));
}

/**
 * Finds secrets of API keys that the sandbox has made and still accepts. The function recognizes them by their hashes, so it
 * finds even keys whose answer was lost.
 */
export function issuedKeysIn({ store }: Sandbox, places: Named): string[] {
  const ids = new Map([...store.keys.values()].map(({ id, keySecretHash }) => [keySecretHash, id]));
  return Object.entries(places).flatMap(([place, text]) =>
    [...new Set(text.match(/(?<![A-Za-z0-9])[A-Za-z0-9]{40}(?![A-Za-z0-9])/g))].flatMap((word) => {
      const id = ids.get(sha256(word));
      return id === undefined ? [] : [`the secret of key ${id} in ${place}`];
    }),
  );
}

/**
 * Gives a sandbox credentials and secrets that look different in each encoding, and returns the credentials that a client
 * needs. The usual credentials consist of letters and digits, which no encoding changes.
 */
export function useTellingSecrets(sandbox: Sandbox): Sandbox["credentials"] {
  const { keySecret, accessToken } = sandbox.credentials;
  const { store } = sandbox;
  const telling = { keySecret: tellingSecret("key"), accessToken: tellingSecret("token") };
  for (const key of store.keys.values())
    if (key.keySecretHash === sha256(keySecret)) key.keySecretHash = sha256(telling.keySecret);
  for (const token of store.accessTokens.values())
    if (token.tokenHash === sha256(accessToken)) token.tokenHash = sha256(telling.accessToken);
  for (const service of store.services.values()) service.encryptionKey = tellingSecret("encryption");
  for (const { source } of store.pipes.values())
    if (source.objectStorage) source.objectStorage.connectionString = tellingSecret("connection");
  for (const webhook of store.webhooks.values())
    webhook.url = `https://hooks.example.com/${tellingSecret("address")}`;
  // All sandboxes share the same object of credentials, so the test changes a copy.
  return Object.assign(sandbox, { credentials: { ...sandbox.credentials, ...telling } }).credentials;
}

/** Makes a secret with characters that differ in every encoding, and are all allowed in credentials. */
export function tellingSecret(name: string): string {
  return `${name}/s+cr%22et="\\t'&<~>?@;,{$(x)}==`;
}

export function formsOf(secret: string): Named {
  const json = JSON.stringify(secret).slice(1, -1);
  // Go escapes the characters &, < and > in JSON, so a secret has this form in the output of programs in Go.
  const saferJson = json.replace(/[&<>]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
  const html = secret.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  const url = encodeURIComponent(secret);
  const everyByte = [...Buffer.from(secret)].map((byte) => byte.toString(16).padStart(2, "0"));
  // If two encodings of a secret give the same text, a message about a found secret names the later encoding.
  return {
    JSON: json,
    "JSON of Go": saferJson,
    "JSON in JSON": JSON.stringify(json).slice(1, -1),
    "JSON of Go in JSON": JSON.stringify(saferJson).slice(1, -1),
    "a literal": inspect(secret).slice(1, -1),
    HTML: html,
    "HTML with names": secret
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;"),
    "a part of a URL": url,
    "a part of a URL in lower case": url.replace(/%../g, (escaped) => escaped.toLowerCase()),
    "a URL": encodeURI(secret),
    "a form": new URLSearchParams([["", secret]]).toString().slice(1),
    hexadecimal: everyByte.join(""),
    ...base64FormsOf(secret, "base64url"),
    ...base64FormsOf(secret, "base64"),
    "plain text": secret,
  };
}

/** Returns the parts of a secret's base64 text that are the same whatever text surrounds the secret. */
function base64FormsOf(secret: string, encoding: "base64" | "base64url"): Named {
  const forms = [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    const whole = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString(encoding);
    return [`${encoding} after ${before} bytes`, whole.slice([0, 2, 3][before])] as const;
  });
  return Object.fromEntries(forms);
}
