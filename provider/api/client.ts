import { type AxiosError, type AxiosInstance, type AxiosResponse, isAxiosError } from "axios";
import { answerFrom, type Dialect, dialects, pathIn, type RateLimit, requestIn } from "./dialect";
import { type CallSite, LostAnswer, MalformedResponse, TimedOut, Unreachable } from "./errors";
import {
  type Answer,
  type ObservabilityVia,
  type Operation,
  type OperationName,
  operationOn,
  type PathParameters,
} from "./operations";
import { paceOf } from "./rateLimiter";
import { redact } from "./redact";
import { payloadOf, refusalOf } from "./responses";
import { observabilityViaOf, requireSetting, type Settings } from "./settings";
import { createTransport, isUnreadable, wasNotSent, wholeAnswer, whyNotSent } from "./transport";
import { packageVersion } from "./version";

type Api = Operation["api"];

/**
 * Calls operations of both APIs: authentication, envelope, retries and errors, once per API. Knows HTTP and no resource.
 * This module loads axios and ajv, so import it when the first call is made and not before.
 */
export class Client {
  readonly #transports: Partial<Record<Api, AxiosInstance>> = {};
  readonly #dialect: Dialect;
  readonly #observabilityVia: ObservabilityVia;
  readonly #userAgent = `pipestack/${packageVersion()} (node ${process.versions.node})`;

  /**
   * @param settings addresses, credentials and limits; credentials go into the Authorization header and nowhere else
   * @param notice told about waits that a user would wonder about
   */
  constructor(
    private readonly settings: Settings,
    private readonly notice: (message: string) => void,
  ) {
    this.#dialect = dialects[settings.dialect];
    this.#observabilityVia = observabilityViaOf(settings);
  }

  /**
   * Calls one operation and returns what is inside the API's envelope. The body and the answer are in the words of the
   * API document, what goes over the wire and the path in an error in those of the server.
   *
   * @throws ApiError of the subclass that says what went wrong
   * @throws SettingsError when an address or a credential is missing
   */
  async call<Name extends OperationName>(
    name: Name,
    parameters: PathParameters,
    body?: unknown,
  ): Promise<Answer<Name>> {
    const operation = operationOn(this.#observabilityVia, name);
    const path = pathIn(this.#dialect, operation.path).replace(/\{(\w+)\}/g, (_, parameter: string) => {
      const value = parameters[parameter];
      if (!value) throw new TypeError(`${name} needs the path parameter ${parameter}`);
      // A URL takes these for steps in the path, however they are encoded: the request would go somewhere else.
      if (value === "." || value === "..") throw new TypeError(`${name}: ${parameter} cannot be "${value}"`);
      if (/\p{Cs}/u.test(value)) throw new TypeError(`${name}: ${parameter} holds half of a character`);
      return encodeURIComponent(value);
    });
    const site: CallSite = { operation: name, method: operation.method, path };
    const authorization = this.#authorization(operation.api);
    let response: AxiosResponse<string>;
    try {
      response = await this.#transport(operation.api).request<string>({
        method: operation.method,
        url: path,
        headers: { Authorization: authorization },
        ...(body === undefined ? {} : { data: requestIn(this.#dialect, body) }),
        idempotent: operation.idempotent,
      });
    } catch (error) {
      // Errors of axios carry the request with its credentials, so none of them leaves this method.
      if (!isAxiosError(error)) throw error;
      const refusal = wholeAnswer(error);
      if (refusal) throw refusalOf(operation, site, refusal, this.#hide);
      throw this.#withoutAnswer(operation.api, site, error);
    }
    const payload = payloadOf(operation, site, response, this.#hide);
    return (operation.asksForData ? payload : answerFrom(this.#dialect, payload)) as Answer<Name>;
  }

  #authorization(api: Api): string {
    if (api === "observability") return `Bearer ${requireSetting(this.settings, "accessToken")}`;
    const pair = `${requireSetting(this.settings, "keyId")}:${requireSetting(this.settings, "keySecret")}`;
    return `Basic ${Buffer.from(pair).toString("base64")}`;
  }

  #address(api: Api): string {
    return requireSetting(this.settings, api === "management" ? "baseUrl" : "obsBaseUrl");
  }

  #transport(api: Api): AxiosInstance {
    const baseUrl = this.#address(api);
    this.#transports[api] ??= createTransport(
      baseUrl,
      this.settings,
      paceOf(baseUrl, this.#authorization(api), this.#limit(api)),
      this.#userAgent,
      this.notice,
    );
    return this.#transports[api];
  }

  /** The limit that the user set, or else the one of the dialect. */
  #limit(api: Api): RateLimit | undefined {
    const { requestsPerSecond: rate } = this.settings;
    if (rate === 0) return this.#dialect.limits[api];
    return { requests: Math.max(1, Math.floor(rate)), seconds: Math.max(1, 1 / rate) };
  }

  readonly #hide = (text: string) => redact(text, this.settings);

  #withoutAnswer(api: Api, site: CallSite, error: AxiosError): Unreachable | LostAnswer | MalformedResponse {
    if (wasNotSent(error)) {
      const { origin } = new URL(this.#address(api));
      return new Unreachable(site, `${origin} cannot be reached ${whyNotSent(error)}`);
    }
    if (isUnreadable(error)) {
      return new MalformedResponse(site, "the answer is too large or cannot be decoded");
    }
    if (error.code === "ERR_CANCELED" || error.code === "ECONNABORTED") {
      return new TimedOut(site, `no answer within ${this.settings.timeoutSeconds} s`);
    }
    const reason = error.response ? "" : ` (${error.code ?? "unknown reason"})`;
    return new LostAnswer(site, `the connection broke before the answer was complete${reason}`);
  }
}
