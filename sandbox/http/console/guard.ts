import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../../core/apiError";
import { changeHeader } from "./changeHeader";

/**
 * The names of this machine in the header `Host` of requests to the console. With any other name, a foreign page has pointed
 * its own host name to this machine.
 */
const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/**
 * Admits only requests of the console's own page: the console needs no credentials, so any page in the browser could use it.
 * @throws ApiError 403
 */
export async function guard({ method, headers }: FastifyRequest): Promise<void> {
  const { host = "", origin } = headers;
  if (!loopback.test(host)) throw new ApiError(403, "the console is served at localhost and 127.0.0.1 only");
  if (origin !== undefined && origin !== `http://${host}`) {
    throw new ApiError(403, "requests from other origins are refused");
  }
  const isReading = method === "GET";
  if (!isReading && headers[changeHeader] === undefined) {
    throw new ApiError(403, `a change requires the header ${changeHeader}`);
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

/** Adds the headers by which the browser isolates the console's page from other pages. */
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
