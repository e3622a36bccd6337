import { createSandbox, type Sandbox } from "../../../sandbox/index";
import { sessionOf } from "../drift/fixture";

export const channel = { type: "webhook", webhookId: "65f1c0a2b3d4e5f607182921" };
export const secondChannel = { type: "webhook", webhookId: "65f1c0a2b3d4e5f607182922" };

/** A sandbox in the dialect `clickhouse`, and a new session with it for each test. */
export interface Product {
  readonly sandbox: Sandbox;
  readonly session: ReturnType<typeof sessionOf>["session"];
  readonly warnings: string[];
}

export function useProduct(): Product {
  // The fixture's object is empty while tests are defined: mocha's hooks fill in the sandbox and the session before the tests
  // run.
  const product = {} as { -readonly [Name in keyof Product]: Product[Name] };

  before(async () => {
    product.sandbox = await createSandbox({ dialect: "clickhouse" });
    const webhook = product.sandbox.store.webhooks.get(channel.webhookId);
    if (webhook)
      product.sandbox.store.webhooks.set(secondChannel.webhookId, {
        ...webhook,
        id: secondChannel.webhookId,
      });
  });
  beforeEach(() => {
    product.sandbox.requests.length = 0;
    product.sandbox.rewrites.clear();
    Object.assign(product, sessionOfProduct(product.sandbox));
  });
  after(() => product.sandbox.close());
  return product;
}

/** Opens a session as a later provider process would, which reads all lists again. */
export function sessionOfProduct(sandbox: Sandbox, further: Record<string, string> = {}) {
  return sessionOf(sandbox, { dialect: "clickhouse", requestsPerSecond: "1000", ...further });
}

/** Returns the last path segment and the body of each request to the sandbox with the given HTTP method. */
export function sentBy({ sandbox }: Product, method: string): [string | undefined, unknown][] {
  return sandbox.requests
    .filter((request) => request.method === method)
    .map(({ path, requestBody }) => [path.split("/").pop(), requestBody]);
}
