import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../apiError";
import { changeHeader } from "./changeHeader";

/** Names of this machine; another name means that a page elsewhere has made its own name point here. */
const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/**
 * Lets only the console's own page in: the console needs no credentials, so every page that the browser shows could use it otherwise.
 * @throws ApiError 403
 */
export async function guard({ method, headers }: FastifyRequest): Promise<void> {
  const { host = "", origin } = headers;
  if (!loopback.test(host)) throw new ApiError(403, "the console answers to localhost and 127.0.0.1 only");
  if (origin !== undefined && origin !== `http://${host}`) {
    throw new ApiError(403, "the console answers its own page only, not one of another origin");
  }
  const isReading = method === "GET";
  if (!isReading && headers[changeHeader] === undefined) {
    throw new ApiError(403, `a change needs the header ${changeHeader}`);
  }
}

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Headers with which the browser keeps everything in its place. */
export async function addSecurityHeaders(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.headers(securityHeaders);
}

export const securityHeaders = {
  "content-security-policy": contentSecurityPolicy,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-store",
};
