import { expect } from "chai";
import { resources, type TypeName, typeNames } from "../../../provider/resources/registry";
import { createSandbox, type Sandbox } from "../../../sandbox/index";
import { type Answer, ScriptedServer } from "../api/server";
import { useVirtualTime } from "../api/virtualTime";
import { furnish } from "../faults/furnish";
import { Service } from "../faults/service";
import { examples } from "../resources/examples";
import { Declared, sessionOf } from "./fixture";

const requestId = "4bd8e2a4-33a0-4a4e-9a0b-6f0b3c1d2e4f";

/** One answer in the envelope of the API that the path belongs to. */
function answered(path: string, status: number, content: { list?: unknown; missing?: string }): Answer {
  const isManagement = path.startsWith("/v1/");
  if (status === 404 && !isManagement && /dashboards|connections/.test(path))
    return { status, body: "Not Found" };
  const words = isManagement
    ? {
        status,
        requestId,
        ...(status === 404 ? { error: `NOT_FOUND: ${content.missing}` } : { result: content.list }),
      }
    : status === 404
      ? { message: content.missing }
      : { data: content.list };
  return { status, headers: { "content-type": "application/json" }, body: words };
}

/** How a server answers for an object that single requests do not show either: in its own words, or without a route. */
const singleReads = {
  "single reads lag like lists": (path: string) => answered(path, 404, { missing: "no such object" }),
  "no route shows it by itself": () => ({ status: 404, body: "<html>Cannot GET</html>" }),
};

describe("an object that was created just now", () => {
  let sandbox: Sandbox;
  let server: ScriptedServer;
  const time = useVirtualTime();

  before(async () => {
    sandbox = await createSandbox();
  });
  beforeEach(async () => {
    server = await new ScriptedServer().start();
    await sandbox.reset();
  });
  afterEach(() => server.close());
  after(() => sandbox.close());

  async function created(type: TypeName): Promise<Declared> {
    const service = new Service(sandbox, {});
    furnish(service);
    const declared = new Declared(type, examples[type].programs(service)[0]);
    await declared.up(sessionOf(sandbox).session);
    return declared;
  }

  const throughServer = () =>
    sessionOf({ baseUrl: server.url, obsBaseUrl: server.url, credentials: sandbox.credentials });

  /** All reads show what was there before: lists lack the object, and other answers are as given. */
  function lag(shown: (path: string) => Answer): void {
    const { serviceId } = sandbox.credentials;
    server.alwaysAnswer((request, response) => {
      const path = request.url ?? "";
      const services = [{ id: serviceId }];
      const isList =
        /\/(keys|alerts|dashboards|webhooks|sources|connections|savedSearches|saved-searches)(\?.*)?$/.test(
          path,
        );
      const answer = /\/services$/.test(path)
        ? answered(path, 200, { list: services })
        : isList
          ? answered(path, 200, { list: [] })
          : shown(path);
      if (typeof answer === "function") return answer(request, response);
      response.writeHead(answer.status ?? 200, answer.headers);
      response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body));
    });
  }

  const isListed = (type: TypeName) => resources[type].operations.list !== undefined;

  for (const type of typeNames)
    for (const [what, shown] of Object.entries(singleReads)) {
      it(`keeps the state of a ${type} where ${what}`, async () => {
        const declared = await created(type);
        const state = structuredClone(declared.state);
        lag(shown);
        for (const wait of [0, 90_000]) {
          time.pass(wait);
          const { session, warnings } = throughServer();
          const outcome = await declared.refresh(session).catch((failure: Error) => failure);
          expect(outcome).not.to.equal("gone");
          if (outcome instanceof Error) expect(outcome.message).to.match(/less than 3 minutes ago|NOT_FOUND/);
          else expect([outcome, warnings]).to.have.nested.property("[1][0]").that.includes("no such route");
        }
        expect(declared.state).to.deep.equal(state);
        expect(new Set(server.requests.map(({ method }) => method))).to.deep.equal(new Set(["GET"]));
      });
    }

  for (const type of typeNames.filter(isListed)) {
    it(`leaves a ${type} in the state whose deletion is denied while reads lag, until they no longer do`, async () => {
      const declared = await created(type);
      lag(singleReads["single reads lag like lists"]);
      const deletion = () => declared.delete(throughServer().session).catch((failure: Error) => failure);
      expect(await deletion())
        .to.be.instanceOf(Error)
        .with.property("message")
        .that.includes("less than 3 minutes ago");
      time.pass(180_000);
      expect(await deletion()).to.equal(undefined);
    });

    it(`says of a ${type} that cannot be updated yet when to try again`, async () => {
      const declared = await created(type);
      lag(singleReads["single reads lag like lists"]);
      const next = Object.assign(
        new Declared(type, examples[type].programs(new Service(sandbox, {}))[1] ?? {}),
        {
          id: declared.id,
          state: declared.state,
          inputs: declared.inputs,
        },
      );
      const update = () => next.up(throughServer().session).catch(({ message }: Error) => message);
      expect(await update())
        .to.include("less than 3 minutes ago")
        .and.not.include("--refresh");
      time.pass(180_000);
      expect(await update()).to.include("--refresh");
    });
  }
});
