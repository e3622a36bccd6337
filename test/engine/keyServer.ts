import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** What Vault puts before each of its ciphertexts. */
const prefix = "vault:v1:";

let address: Promise<string> | undefined;

/**
 * The address of what stands in for the Transit engine of HashiCorp Vault, for the CLI's secrets provider `hashivault`: it
 * wraps the key of a stack without hiding it. The secrets of the stack are encrypted by that key as always; but the CLI need
 * not make it from a passphrase, which takes a fifth of a second in each command. One for all tests of a process.
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
