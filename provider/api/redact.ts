import type { Settings } from "./settings";

/** Text of a server or a library without the credentials of these settings, in whichever encoding they come back. */
export function redact(text: string, settings: Settings): string {
  const { keyId, keySecret, accessToken } = settings;
  const pair = keyId && keySecret ? `${keyId}:${keySecret}` : undefined;
  let hidden = text;
  for (const secret of [pair, keySecret, accessToken]) {
    if (!secret) continue;
    for (const form of [secret, Buffer.from(secret).toString("base64"), encodeURIComponent(secret)]) {
      hidden = hidden.replaceAll(form, "[hidden]");
    }
  }
  return hidden;
}
