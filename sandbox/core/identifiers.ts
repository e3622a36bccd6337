import { createHash, randomBytes } from "node:crypto";

/** Returns SHA-256 of a text in lower-case hex, as which the sandbox stores keys and tokens. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Returns SHA-256 of a text in base64, as which the sandbox stores passwords of services. */
export function sha256Base64(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}

/** Whether a text has the form of HyperDX's ids of dashboards, tiles, alerts, sources and webhooks: 24 hex digits. */
export function isObjectId(text: string): boolean {
  return /^[0-9a-f]{24}$/i.test(text);
}

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

const alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

export function uuidOf(text: string): string {
  const digits = sha256(text);
  const parts = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
  ];
  return [...parts, digits.slice(20, 32)].join("-");
}

export class Identifiers {
  readonly #origin: string;
  #objects: number;

  constructor(private readonly bytes: (count: number) => Buffer = randomBytes) {
    this.#origin = bytes(5).toString("hex");
    this.#objects = bytes(2).readUInt16BE();
  }

  /** Makes a new id of 24 hex digits. Later ids are greater, since HyperDX's lists are sorted by id. */
  object(now: number): string {
    this.#objects += 1;
    const seconds = Math.floor(now / 1000).toString(16);
    return seconds.padStart(8, "0") + this.#origin + (this.#objects % 2 ** 24).toString(16).padStart(6, "0");
  }

  uuid(): string {
    const bytes = this.bytes(16);
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
    return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  }

  alike(id: string, now: number): string {
    return isUuid(id) ? this.uuid() : this.object(now);
  }

  /** Makes a new id of the wrong form, for a fault: a UUID in place of 24 hex digits, or the reverse. */
  unlike(id: string, now: number): string {
    return isUuid(id) ? this.object(now) : this.uuid();
  }

  keyPair(): { keyId: string; keySecret: string } {
    const text = (length: number) =>
      [...this.bytes(length)].map((byte) => alphanumeric[byte % alphanumeric.length]).join("");
    return { keyId: text(20), keySecret: text(40) };
  }
}
