import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { type Answer, jsonAnswer } from "../answer";
import type { ApiName } from "../request";
import { enveloped } from "./payload";

/** A response of the sandbox whose body is generated while it is sent, since it is too large to hold in memory. */
export type LargeAnswer = Answer<Readable>;

const megabyte = Buffer.alloc(1024 * 1024, "x");

/** Makes a response with a text of many megabytes in the API's envelope, to test that a client limits what it reads. */
export function hugeAnswer(api: ApiName, requestId: string, megabytes = 200): LargeAnswer {
  return { ...jsonAnswer(200, {}), body: Readable.from(parts(api, requestId, megabytes)) };
}

/**
 * Makes a compressed response that is a thousand times as large once it is unpacked. It consists of concatenated gzip members,
 * which unpack to one text.
 */
export function gzipBomb(api: ApiName, requestId: string, megabytes = 1000): LargeAnswer {
  const packedMegabyte = gzipSync(megabyte);
  const body = Readable.from(
    parts(api, requestId, megabytes, (part) => (part === megabyte ? packedMegabyte : gzipSync(part))),
  );
  return { ...jsonAnswer(200, {}, { "content-encoding": "gzip" }), body };
}

function* parts(api: ApiName, requestId: string, megabytes: number, pack = (part: Buffer) => part) {
  const [start = "", end = ""] = JSON.stringify(enveloped(api, "|", requestId)).split("|");
  yield pack(Buffer.from(start));
  for (let count = 0; count < megabytes; count++) yield pack(megabyte);
  yield pack(Buffer.from(end));
}
