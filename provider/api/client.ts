import { redact, secretsIn } from "../values/redact";
import { packageVersion } from "../values/version";
import { waitAfter } from "./backoff";
import { answerFrom, type Dialect, dialects, pathIn, requestIn } from "./dialect";
import {
  type CallSite,
  Interrupted,
  LostAnswer,
  MalformedResponse,
  SettingsError,
  TimedOut,
  Unreachable,
} from "./errors";
import { Interruption } from "./interruption";
import { isWrite, type Operation } from "./operation";
import {
  type Answer,
  type ObservabilityVia,
  type OperationName,
  operationOn,
  type PathParameters,
} from "./operations";
import { type Paging, wholeList } from "./pages";
import { priorityOf } from "./priority";
import { noticeableMilliseconds, type RateLimiter, rateLimiterFor } from "./rateLimiter";
import { isOwn, type Payload, payloadOf, refusalOf } from "./responses";
import { readServerVersion } from "./serverVersion";
import {
  addressSetting,
  credentialsIn,
  isLoopback,
  limitIn,
  missingAccess,
  missingSettings,
  observabilityViaOf,
  requireSetting,
  settingToCheck,
} from "./settings";
import type { Settings } from "./settingsSchema";
import type { AttemptEnd } from "./sharedLimit";
import { createTransport, type HttpRequest, type Transport } from "./transport";
import {
  FailedRequest,
  failureCodes,
  type HttpResponse,
  mayBeRepeated,
  routeOf,
  wasNotSent,
  whyNotSent,
  whyUnreadable,
} from "./transportFailures";

type Api = Operation["api"];

export type OnSend = (isRepeated: boolean, isFurtherPage: boolean) => void;

type Unsent = Omit<HttpRequest, "signal">;

interface Connection {
  readonly transport: Transport;
  /** Sends requests on new connections, so that they do not use a kept connection which the server has closed. */
  readonly freshTransport: Transport;
  readonly limiter: RateLimiter;
  /** Whether the server has been seen to close kept connections without notice, so that repeated requests need new ones. */
  closesKept: boolean;
}

/**
 * A 429 only delays a request, so the client accepts this many times as many 429s as other failures before it gives up; and that many
 * times as many again while the server accepts other requests of this process, since then others use the limit, too.
 */
const patience = 5;

/** Calls the operations of both APIs. It knows authentication, envelope, retries and errors, but no resources. */
export class Client {
  readonly #connections: Partial<Record<Api, Connection>> = {};
  readonly #dialect: Dialect;
  readonly #observabilityVia: ObservabilityVia;
  /** The operations that a server has answered, with the API that answered: the address of this API is then right. */
  readonly #answered = new Map<string, Api>();
  readonly #userAgent = `pipestack/${packageVersion()} (node ${process.versions.node})`;

  /**
   * @param settings addresses, credentials and limits; credentials go only into the Authorization header
   * @param notice tells the user about long waits
   * @param hideFurther removes the texts that the program keeps secret from what a server says
   */
  constructor(
    private readonly settings: Settings,
    private readonly notice: (message: string) => void,
    private readonly interruption = new Interruption(),
    private readonly hideFurther = (words: string) => words,
  ) {
    this.#dialect = dialects[settings.dialect];
    this.#observabilityVia = observabilityViaOf(settings);
  }

  /**
   * Calls one operation and returns the content of the API's envelope. The arguments and the result use the names of the API
   * document; the sent request, and the paths in errors, use the server's names.
   * @param onSend called each time the request is sent, after the wait for the rate limiter, with whether an earlier sending may have
   * been carried out, and whether it is for a further page of a list; if it throws, the request is not sent, and the call fails with
   * that error
   * @throws ApiError of the subclass for the failure
   * @throws SettingsError when an address or a credential is missing
   */
  async call<Name extends OperationName>(
    name: Name,
    parameters: PathParameters,
    body?: unknown,
    onSend?: OnSend,
  ): Promise<Answer<Name>> {
    const operation = operationOn(this.#observabilityVia, name);
    const missing = missingAccess(this.settings, operation.api);
    if (missing.length > 0) throw new SettingsError(missingSettings(missing));
    const path = pathIn(this.#dialect, operation.path).replace(/\{(\w+)\}/g, (_, parameter: string) => {
      const value = parameters[parameter];
      if (!value) throw new TypeError(`${name} needs the path parameter ${parameter}`);
      // A URL takes a path parameter `.` or `..` for a step in the path, however encoded: the request would go elsewhere.
      if (value === "." || value === "..")
        throw new TypeError(`${name}: the path parameter ${parameter} cannot be "${value}"`);
      if (/\p{Cs}/u.test(value))
        throw new TypeError(`${name}: the path parameter ${parameter} is not valid Unicode`);
      return encodeURIComponent(value);
    });
    const site: CallSite = { operation: name, method: operation.method, path };
    const request: Unsent = {
      method: operation.method,
      url: path,
      headers: { Authorization: this.#authorization(operation.api) },
      ...(body === undefined ? {} : { data: requestIn(this.#dialect, body) }),
    };
    const ask = (params: HttpRequest["params"], isFurtherPage: boolean) => {
      const onSendOfPage = () => onSend?.(site.isRepeated === true, isFurtherPage);
      return this.#answer(operation, site, { ...request, params }, onSendOfPage);
    };
    const { pageSize, query = [] } = operation;
    const queryParameters = query.map((parameter) => [parameter, parameters[parameter] ?? ""]);
    const params = {
      ...Object.fromEntries(queryParameters),
      ...(pageSize !== undefined && { limit: pageSize }),
    };
    const { payload, page } = await ask(params, false);
    return (
      page
        ? await wholeList(site, page, (part) => ask({ ...params, ...part }, true), this.#pagingOf(operation))
        : payload
    ) as Answer<Name>;
  }

  #pagingOf({ hasOffsets }: Operation): Paging {
    if (hasOffsets) return "offsets";
    return this.#dialect.documentsPages ? "none" : undefined;
  }

  /**
   * Puts a file at an address that the service has given for it. The address is itself a credential, so no message shows more
   * of it than its host, and the request has no other.
   * @throws Error if the file does not arrive
   */
  async upload(address: string, file: Buffer): Promise<void> {
    const { origin, protocol, host, hostname, pathname, search } = new URL(address);
    if (protocol !== "https:" && !isLoopback(hostname))
      throw new Error(`the service gave an address at ${host} without TLS for the upload; nothing was sent`);
    const transport = createTransport(origin, this.#userAgent, false);
    for (let failures = 0; ; ) {
      const attempt = new AbortController();
      const limit = setTimeout(() => attempt.abort(), this.settings.timeoutSeconds * 1000);
      const stop = this.interruption.onEnd(() => attempt.abort());
      try {
        const url = pathname + search;
        await transport.request({ method: "PUT", url, headers: {}, data: file, signal: attempt.signal });
        return;
      } catch (error) {
        if (!(error instanceof FailedRequest)) throw error;
        const end = this.interruption.reason();
        if (end !== undefined || !mayBeRepeated(error, true) || ++failures > this.settings.maxRetries)
          throw new Error(`the upload to ${host} failed (${end ?? brokenBy(error)})`);
        await this.interruption.pause(waitAfter(error, failures));
      } finally {
        clearTimeout(limit);
        stop();
      }
    }
  }

  /** The ClickStack version of the server of the observability API; undefined if the server does not tell it. */
  async serverVersion(): Promise<string | undefined> {
    const { obsBaseUrl } = this.settings;
    return obsBaseUrl === undefined
      ? undefined
      : readServerVersion(createTransport(obsBaseUrl, this.#userAgent, false));
  }

  async #answer(operation: Operation, site: CallSite, request: Unsent, onSend: () => void): Promise<Payload> {
    const { secrets: members = [], plain } = operation;
    const secrets = [...credentialsIn(this.settings), ...secretsIn(request.data, members, plain)];
    const hide = (text: string) => this.hideFurther(redact(text, secrets));
    let response: HttpResponse;
    try {
      response = await this.#send(operation, site, request, onSend);
    } catch (error) {
      if (!(error instanceof FailedRequest)) throw error;
      const { wholeAnswer, isRefusedByProxy } = error;
      if (wholeAnswer && !isRefusedByProxy)
        throw refusalOf(operation, site, wholeAnswer, hide, {
          dialect: this.#dialect,
          requestBody: request.data,
          isAddressRight: this.#isAddressRight(operation, site),
        });
      throw this.#withoutAnswer(operation.api, site, error);
    }
    const { payload, page } = payloadOf(operation, site, response, hide);
    this.#answered.set(site.operation, operation.api);
    if (operation.asksForData) return { payload };
    const translated = identified(operation, answerFrom(this.#dialect, payload));
    return { payload: translated, ...(page && { page: { ...page, entries: translated as unknown[] } }) };
  }

  #isAddressRight({ api }: Operation, { operation }: CallSite): boolean {
    return !this.#answered.has(operation) && [...this.#answered.values()].includes(api);
  }

  /** Sends a request, repeatedly if need be, until the API answers or another attempt is not allowed. */
  async #send(
    operation: Operation,
    site: CallSite,
    request: Unsent,
    onSend: () => void,
  ): Promise<HttpResponse> {
    const { api, idempotent } = operation;
    const isWriting = isWrite(operation);
    const { interruption } = this;
    let last = "before the request was sent";
    const connection = this.#connection(api);
    const { transport, freshTransport, limiter } = connection;
    const { maxRetries, timeoutSeconds } = this.settings;
    let refusedAt = performance.now();
    // `futile` counts the 429s since the server has accepted another request of this process.
    for (let failures = 0, refusals = 0, futile = 0; ; ) {
      let end: AttemptEnd = "unsent";
      let wait = 0;
      const release = await limiter.acquire(this.notice, interruption, priorityOf(operation));
      if (!release) throw new Interrupted(site, `${interruption.reason()} ${last}`);
      // This timer also ends an answer that trickles in for ever, and keeps the process alive: if a proxy has closed the
      // connection, the process would otherwise exit as if all requests had been answered.
      const attempt = new AbortController();
      const limit = setTimeout(() => attempt.abort(), timeoutSeconds * 1000);
      const stop = interruption.onEnd(() => attempt.abort(), isWriting);
      try {
        onSend();
        end = undefined;
        const needsFresh = connection.closesKept && (!idempotent || failures > 0);
        return await (needsFresh ? freshTransport : transport).request({
          ...request,
          signal: attempt.signal,
        });
      } catch (error) {
        if (!(error instanceof FailedRequest)) throw error;
        const reason = error.isCancelled ? interruption.reason(isWriting) : undefined;
        if (reason !== undefined) {
          throw new (isWriting ? TimedOut : Interrupted)(site, `${reason} before the answer arrived`);
        }
        last = `after ${brokenBy(error)}`;
        // Some servers close kept connections without notice, so later requests use new ones.
        if (error.isOnKeptConnection && !error.response) connection.closesKept = true;
        if (error.response?.status === 429) {
          // After a 429 the rate limiter decides when this call and all others of the same credential go on.
          end = waitAfter(error, ++refusals);
          // A request that the API itself refused with a 429 was not carried out, so even a create may be repeated.
          const isSafe = idempotent || isOwn(operation, error.response);
          const most = maxRetries * patience;
          futile = limiter.hasAcceptedSince(refusedAt) ? 1 : futile + 1;
          refusedAt = performance.now();
          if (!isSafe || futile > most || refusals > most * patience) throw error;
        } else {
          if (!mayBeRepeated(error, idempotent) || ++failures > maxRetries) throw error;
          wait = waitAfter(error, failures);
          site.isRepeated ||= !wasNotSent(error);
          this.#announceWait(api, wait, error);
        }
      } finally {
        clearTimeout(limit);
        stop();
        release(end);
      }
      await interruption.pause(wait);
    }
  }

  #announceWait(api: Api, wait: number, error: FailedRequest): void {
    if (wait < noticeableMilliseconds) return;
    const seconds = Math.ceil(wait / 1000);
    this.notice(`waiting ${seconds} s for the service at ${this.#address(api)} (${brokenBy(error)})`);
  }

  #authorization(api: Api): string {
    if (api === "observability") return `Bearer ${requireSetting(this.settings, "accessToken")}`;
    const pair = `${requireSetting(this.settings, "keyId")}:${requireSetting(this.settings, "keySecret")}`;
    return `Basic ${Buffer.from(pair).toString("base64")}`;
  }

  #address(api: Api): string {
    return requireSetting(this.settings, addressSetting(api));
  }

  #connection(api: Api): Connection {
    const address = this.#address(api);
    this.#connections[api] ??= {
      transport: createTransport(address, this.#userAgent, true),
      freshTransport: createTransport(address, this.#userAgent, false),
      limiter: rateLimiterFor(
        address,
        this.#authorization(api),
        limitIn(this.settings, api),
        this.settings.requestsPerSecond === 0,
      ),
      closesKept: false,
    };
    return this.#connections[api];
  }

  #withoutAnswer(
    api: Api,
    site: CallSite,
    error: FailedRequest,
  ): Unreachable | LostAnswer | MalformedResponse {
    const route = routeOf(error);
    if (wasNotSent(error)) {
      const { origin } = new URL(this.#address(api));
      return new Unreachable(site, `${origin} cannot be reached${route} ${whyNotSent(error)}`);
    }
    const problem = whyUnreadable(error);
    if (problem !== undefined && error.code === failureCodes.switched)
      return new MalformedResponse(
        { ...site, status: 101 },
        `${problem}; check ${settingToCheck(addressSetting(api))}`,
      );
    if (problem !== undefined) return new MalformedResponse(site, problem);
    if (error.isCancelled) {
      return new TimedOut(site, `no answer within ${this.settings.timeoutSeconds} s${route}`);
    }
    const reason = error.response ? "" : ` (${error.code ?? "unknown reason"})`;
    return new LostAnswer(site, `the connection${route} broke before the answer was complete${reason}`);
  }
}

/** The objects of an answer, each with an `id`, also where the API gives them another name. */
function identified({ idIs }: Pick<Operation, "idIs">, answer: unknown): unknown {
  if (idIs === undefined) return answer;
  if (Array.isArray(answer)) return answer.map((entry) => identified({ idIs }, entry));
  return { id: (answer as Record<string, unknown>)[idIs], ...(answer as object) };
}

function brokenBy({ response, code }: FailedRequest): string {
  return response ? `status ${response.status}` : (code ?? "no answer");
}
