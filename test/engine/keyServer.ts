import { createDecipheriv } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

const prefix = "vault:v1:";

let address: Promise<string> | undefined;

/**
 * Starts a server that replaces HashiCorp Vault's Transit engine for the CLI's secrets provider `hashivault`, and
 * returns its address. The server returns the key of a stack without encrypting it. The CLI then need not derive the
 * key from a passphrase, which takes a fifth of a second in each command. All tests of a process share one server.
 */
export function keyServer(): Promise<string> {
  address ??= start();
  return address;
}

async function start(): Promise<string> {
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1").unref();
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { plaintext, ciphertext } = (await json(request)) as { plaintext?: string; ciphertext?: string };
  const data =
    ciphertext === undefined
      ? { ciphertext: prefix + plaintext }
      : { plaintext: ciphertext.slice(prefix.length) };
  response.end(JSON.stringify({ data }));
}

export function parseDecrypted(state: string) {
  const wrapped: string = JSON.parse(state).checkpoint.latest?.secrets_providers?.state.encryptedkey ?? "";
  const key = Buffer.from(Buffer.from(wrapped, "base64").toString().slice(prefix.length), "base64");
  return JSON.parse(state, (_, value) =>
    typeof value?.ciphertext === "string" ? JSON.parse(decrypt(key, value.ciphertext)) : value,
  );
}

function decrypt(key: Buffer, ciphertext: string): string {
  const [, nonce, sealed] = ciphertext.split(":").map((part) => Buffer.from(part, "base64"));
  if (!nonce || !sealed) throw new Error("a ciphertext of another form");
  const decipher = createDecipheriv("aes-256-gcm", key, nonce).setAuthTag(sealed.subarray(-16));
  return decipher.update(sealed.subarray(0, -16), undefined, "utf8") + decipher.final("utf8");
}
