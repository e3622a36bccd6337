import https from "node:https";
import axios, { type AxiosError, isAxiosError } from "axios";
import {
  cancelledCode,
  FailedRequest,
  type HttpResponse,
  largestAnswerBytes,
  successful,
  type Transport,
  tooLargeCode,
} from "./http";

/**
 * Requests where the environment names a proxy: axios knows the variables, their exceptions and the tunnels. Loading it
 * takes longer than a request, so import this module only where there is a proxy.
 *
 * @param headers what every request has
 * @param agentOptions how connections are kept
 */
export function proxiedTransport(
  baseURL: string,
  headers: { readonly [name: string]: string },
  agentOptions: https.AgentOptions,
): Transport {
  const instance = axios.create({
    baseURL,
    headers: { ...headers },
    // Nothing is followed: a redirect could carry credentials to another origin.
    maxRedirects: 0,
    maxContentLength: largestAnswerBytes,
    httpsAgent: new https.Agent(agentOptions),
    responseType: "text",
    transformResponse: [(text: unknown) => text],
    validateStatus: () => true,
  });
  return {
    async request(request) {
      try {
        const { status, headers: found, data, request: sent } = await instance.request<string>(request);
        return successful(
          { status, headers: found as HttpResponse["headers"], data },
          { proxy: proxyOf(sent) },
        );
      } catch (error) {
        // Errors of axios carry the request with its credentials, so none of them leaves this module.
        throw isAxiosError(error) ? failureOf(error) : error;
      }
    },
  };
}

function failureOf({ message, code, request, response }: AxiosError<string>): FailedRequest {
  const isTooLarge = code === "ERR_BAD_RESPONSE" && !response;
  return new FailedRequest(
    message,
    isTooLarge ? tooLargeCode : code === "ERR_CANCELED" ? cancelledCode : code,
    {
      ...(response && {
        response: { status: response.status, headers: response.headers, data: response.data },
      }),
      isOnKeptConnection: request?.reusedSocket === true,
      proxy: proxyOf(request),
    },
  );
}

/** The proxy that a request of axios went through: its agent knows. */
function proxyOf(request: unknown): string | undefined {
  const { host, port } =
    (request as { agent?: { proxy?: { host?: unknown; port?: unknown } } } | undefined)?.agent?.proxy ?? {};
  return typeof host === "string" ? `${host}:${port}` : undefined;
}
