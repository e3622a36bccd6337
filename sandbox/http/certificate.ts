import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { isIP } from "node:net";

export interface Certificate {
  cert: string;
  key: string;
}

const days = 365;

const day = 24 * 60 * 60 * 1000;

/**
 * Creates a self-signed certificate for host names and addresses, which clients trust only if they are told to. The sandbox
 * creates it at run time, since a private key in a package would be public. This function encodes it, since node:crypto issues
 * no certificates, and a library would bring twenty packages.
 */
export function createCertificate(hosts: readonly string[]): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const serial = Buffer.concat([Buffer.from([1]), randomBytes(15)]);
  // The subject of the certificate is unique, so that a client that trusts several certificates can tell them apart.
  const name = sequence(element(0x31, sequence(commonName, utf8(`sandbox ${serial.toString("hex")}`))));
  const now = Date.now();
  const contents = sequence(
    element(0xa0, integer(Buffer.from([2]))), // version 3
    integer(serial),
    signatureAlgorithm,
    name,
    sequence(time(now - day), time(now + (days - 1) * day)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    element(0xa3, sequence(extension(subjectAlternativeName, sequence(...hosts.map(alternativeName))))),
  );
  const signature = sign("sha256", contents, privateKey);
  return {
    cert: pem("CERTIFICATE", sequence(contents, signatureAlgorithm, bits(signature))),
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

/** Encodes an ASN.1 element in DER: tag, length, contents. */
function element(tag: number, ...contents: Buffer[]): Buffer {
  const body = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(body)]), body]);
}

function lengthOf({ length }: Buffer): number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

const sequence = (...contents: Buffer[]) => element(0x30, ...contents);
const integer = (bytes: Buffer) => element(0x02, bytes);
const bits = (bytes: Buffer) => element(0x03, Buffer.from([0]), bytes);
const octets = (bytes: Buffer) => element(0x04, bytes);
const utf8 = (text: string) => element(0x0c, Buffer.from(text));
const extension = (name: Buffer, value: Buffer) => sequence(name, octets(value));

const commonName = Buffer.from("0603550403", "hex");
const subjectAlternativeName = Buffer.from("0603551d11", "hex");
const signatureAlgorithm = sequence(Buffer.from("06082a8648ce3d040302", "hex"));

function alternativeName(host: string): Buffer {
  if (isIP(host) === 4) return element(0x87, Buffer.from(host.split(".").map(Number)));
  return element(0x82, Buffer.from(host));
}

function time(milliseconds: number): Buffer {
  const digits = new Date(milliseconds).toISOString().replace(/\D/g, "");
  return element(0x17, Buffer.from(`${digits.slice(2, 14)}Z`));
}

function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString("base64").replace(/.{64}/g, "$&\n").trimEnd();
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}
