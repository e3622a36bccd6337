import { lookup } from "node:dns";
import http from "node:http";
import https from "node:https";
import type { LookupFunction } from "node:net";
import { pipeline, type Readable } from "node:stream";
import { urlToHttpOptions } from "node:url";
import {
  cancelledCode,
  FailedRequest,
  type HttpResponse,
  largestAnswerBytes,
  successful,
  type Transport,
  tooLargeCode,
} from "./http";

/** Error code for a loopback name that resolves to another machine. */
export const elsewhereCode = "ERR_ELSEWHERE";

/**
 * Requests without a proxy, by Node.js alone: they need a third less time than those of axios, and nothing is loaded for
 * them. Redirects are not followed: they could carry credentials to another origin.
 *
 * @param headers what every request has
 * @param agentOptions how connections are kept
 */
export function directTransport(
  baseUrl: string,
  headers: { readonly [name: string]: string },
  agentOptions: http.AgentOptions,
): Transport {
  const { protocol, hostname, port, path } = urlToHttpOptions(new URL(baseUrl));
  const isSecure = protocol === "https:";
  const send = isSecure ? https.request : http.request;
  const agent = isSecure
    ? new https.Agent(agentOptions)
    : new http.Agent({ ...agentOptions, lookup: lookUpHere });
  const prefix = path?.endsWith("/") ? path.slice(0, -1) : path;

  return {
    request: ({ method, url, params, headers: own, data, signal }) =>
      new Promise((resolve, reject) => {
        const text = data === undefined ? undefined : JSON.stringify(data);
        const query = params ? `?${new URLSearchParams(Object.entries(params).map(textsOf))}` : "";
        const content =
          text === undefined
            ? {}
            : { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) };
        const request = send({
          ...{ hostname, port, path: `${prefix}${url}${query}`, method, agent, signal },
          headers: { ...headers, "Accept-Encoding": "gzip, br", ...own, ...content },
        });
        const fail = ({ message, code }: NodeJS.ErrnoException, response?: Omit<HttpResponse, "data">) =>
          reject(
            new FailedRequest(message, signal.aborted ? cancelledCode : code, {
              response,
              isOnKeptConnection: request.reusedSocket,
            }),
          );
        request.on("error", fail);
        request.on("response", (answer) => {
          const { statusCode: status = 0, headers: found } = answer;
          readText(answer).then(
            (read) => {
              try {
                resolve(successful({ status, headers: found, data: read }));
              } catch (failure) {
                reject(failure);
              }
            },
            (error) => fail(error, error.code === tooLargeCode ? undefined : { status, headers: found }),
          );
        });
        request.end(text);
      }),
  };
}

function textsOf([name, value]: [string, number]): [string, string] {
  return [name, String(value)];
}

/**
 * Resolves hosts of plain http. A resolver need not follow the convention that `localhost`, and names that end in it, mean
 * this machine; an address elsewhere is refused.
 */
const lookUpHere: LookupFunction = (host, options, callback) =>
  lookup(host, options, (error, found, family) => {
    const addresses = Array.isArray(found) ? found.map(({ address }) => address) : [found];
    const isHere =
      error !== null || addresses.every((address) => address === "::1" || address.startsWith("127."));
    const elsewhere = Object.assign(new Error(`${host} is not this machine`), { code: elsewhereCode });
    callback(isHere ? error : elsewhere, found as string, family);
  });

function readText(answer: http.IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const content = decoded(answer);
    content.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size <= largestAnswerBytes) return;
      answer.destroy();
      reject(Object.assign(new Error("the answer is too large"), { code: tooLargeCode }));
    });
    content.on("error", reject);
    content.on("end", () => resolve(new TextDecoder().decode(Buffer.concat(chunks))));
  });
}

/** Servers compress long answers; what cannot be decompressed is an error of the stream. */
function decoded(answer: http.IncomingMessage): Readable {
  const encoding = answer.headers["content-encoding"]?.toLowerCase() ?? "identity";
  if (!/^(x-)?gzip$|^deflate$|^br$/.test(encoding) || answer.statusCode === 204) return answer;
  const zlib = require("node:zlib") as typeof import("node:zlib");
  const decoder = encoding === "br" ? zlib.createBrotliDecompress() : zlib.createUnzip();
  return pipeline(answer, decoder, () => undefined);
}
