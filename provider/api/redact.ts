import type { Settings } from "./settings";

/** Text of a server or a library without the credentials of these settings, in whichever encoding they come back. */
export function redact(text: string, settings: Settings): string {
  const { keyId, keySecret, accessToken } = settings;
  const pair = keyId && keySecret ? `${keyId}:${keySecret}` : undefined;
  let hidden = text;
  for (const secret of [pair, keySecret, accessToken]) {
    if (!secret) continue;
    const bytes = Buffer.from(secret);
    // Without its padding, which not everyone repeats.
    const base64 = bytes.toString("base64").replace(/=+$/, "");
    for (const form of [secret, base64, bytes.toString("base64url"), encodeURIComponent(secret)]) {
      hidden = hidden.replaceAll(form, "[hidden]");
    }
  }
  return hidden;
}
