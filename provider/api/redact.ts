import type { Settings } from "./settingsSchema";

/** Text of a server or a library without the credentials of these settings, in any encoding. */
export function redact(text: string, settings: Settings): string {
  const { keyId, keySecret, accessToken } = settings;
  const pair = keyId && keySecret ? `${keyId}:${keySecret}` : undefined;
  return [pair, keySecret, accessToken]
    .flatMap((secret) => (secret ? formsOf(secret) : []))
    .reduce((hidden, form) => hidden.replaceAll(form, "[hidden]"), text);
}

/** The forms in which a server may repeat a secret: as it is, escaped, or encoded. */
function formsOf(secret: string): string[] {
  const json = inJson(secret);
  // As Go writes JSON, and JavaScript writes JSON for a page.
  const saferJson = json.replace(/[&<>]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
  const url = encodeURIComponent(secret);
  return [
    secret,
    json,
    saferJson,
    inJson(json),
    inJson(saferJson),
    secret.replaceAll("\\", "\\\\"),
    secret.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`),
    ...["&#39;", "&#039;", "&#x27;", "'", "&apos;"].map((apostrophe) => inPage(secret, apostrophe)),
    url,
    url.replace(/%../g, (escaped) => escaped.toLowerCase()),
    encodeURI(secret),
    new URLSearchParams([["", secret]]).toString().slice(1),
    Buffer.from(secret).toString("hex"),
    ...inBase64(secret),
  ];
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function inPage(secret: string, apostrophe: string): string {
  return secret
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", apostrophe);
}

/** The whole without padding, and the part that stays the same inside a longer text. */
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
