import { createHash, randomBytes, randomInt } from "node:crypto";

const alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** SHA-256 of a text, in lower-case hex. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

const ofProcess = randomBytes(5).toString("hex");
let objects = randomInt(2 ** 20);

/** A new id of a dashboard, tile, alert, source or webhook: 24 hex digits. Later ones are greater, as lists are sorted by id. */
export function newObjectId(): string {
  const seconds = Math.floor(Date.now() / 1000).toString(16);
  objects += 1;
  return seconds.padStart(8, "0") + ofProcess + (objects % 2 ** 24).toString(16).padStart(6, "0");
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
