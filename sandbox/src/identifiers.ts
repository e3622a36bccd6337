import { createHash, randomBytes, randomInt } from "node:crypto";

const alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** SHA-256 of a text, in lower-case hex. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A new id of a dashboard, tile, alert, source or webhook: 24 hex digits. */
export function newObjectId(): string {
  return randomBytes(12).toString("hex");
}

/** Whether a text is in the form of {@link newObjectId}. */
export function isObjectId(text: string): boolean {
  return /^[0-9a-f]{24}$/i.test(text);
}

/** Whether a text is a UUID in its usual form. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** A new key: an id of 20 and a secret of 40 random letters and digits. */
export function newKeyPair(): { keyId: string; keySecret: string } {
  const text = (length: number) =>
    Array.from({ length }, () => alphanumeric[randomInt(alphanumeric.length)]).join("");
  return { keyId: text(20), keySecret: text(40) };
}
