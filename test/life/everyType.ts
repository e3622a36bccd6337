import { expect } from "chai";
import { operationOn } from "../../provider/api/operations";
import { isOlder } from "../../provider/api/serverVersion";
import { resolveSettings } from "../../provider/api/settings";
import { check, supportedPart } from "../../provider/lifecycle/check";
import type { Resource } from "../../provider/lifecycle/resource";
import { Session } from "../../provider/lifecycle/session";
import { resources, type TypeName, typeNames } from "../../provider/resources/registry";
import { isObject, type PropertyMap } from "../../provider/values/data";
import { membersSince } from "../../provider/values/memberRules";
import { withArticle } from "../../provider/values/wording";
import { isWhole } from "../seed";
import type { Example, JsonObject } from "../unit/resources/example";
import { examples } from "../unit/resources/examples";
import { type HostName, hosts } from "./hosts";
import { Managed } from "./managed";
import { servers } from "./sandboxService";
import type { Asked, OpenService, Server, Setup } from "./server";

/** A resource type on a server with one dialect, one version and certain APIs, with what the tests of the type need. */
export interface Case {
  readonly type: TypeName;
  readonly noun: string;
  readonly resource: Resource;
  readonly example: Example;
  readonly setup: Setup;
  /** Whether the server is none of the project's own, so that it cannot be told how to answer. */
  readonly isReal: boolean;
  readonly service: OpenService;
  /** Returns the host (dynamic provider or plugin) in which the nth program runs, so that the tests use both. */
  hostOf(at: number): HostName;
  /** Returns the complete programs of the resource type, with all properties that the tested server supports. */
  programs(): readonly Supported[];
  /** The complete example programs of the resource type that need a newer server than the one that this test imitates. */
  readonly newer: readonly (readonly [what: string, program: JsonObject])[];
  /**
   * Returns true if the provider's check accepts a program. `before` is the program with which the object was declared before.
   */
  isValid(program: PropertyMap, before?: PropertyMap): boolean;
  created(host: HostName, program: PropertyMap, isInSet?: boolean): Promise<Managed>;
  record(managed: Managed): Promise<PropertyMap>;
  writes(since?: number): Promise<readonly Asked[]>;
}

/** A complete program of a resource type, with all properties that the tested server supports. */
export interface Supported {
  readonly label: string;
  readonly program: JsonObject;
  readonly host: HostName;
  /**
   * Whether the tests try each property path of the program on this server. One of the servers of a dialect does; with `ALL=1`
   * each of them.
   */
  readonly isHome: boolean;
}

const hostNames = Object.keys(hosts) as HostName[];
const silent = { warn: () => undefined, info: () => undefined };

export function everyType(define: (type: Case, place: number) => void): void {
  for (const [place, server] of servers.entries()) {
    describe(`Every resource type, served by ${server.title}`, () => {
      const opened = {} as { service: OpenService; session: Session };
      before(async () => {
        const service = await server.open();
        const session = new Session(() => resolveSettings([(name) => service.settings[name]]), silent);
        Object.assign(opened, { service, session });
      });
      beforeEach(() => opened.service.reset());
      afterEach("nothing is asked for that the servers do not have", async () => {
        const unknown = (await opened.service.requests()).filter(
          // The provider may also request the list of services and the health route. The API document does not have these two,
          // so the test leaves them out.
          ({ operation, path }) =>
            operation === undefined && !path.endsWith("/services") && path !== "/health",
        );
        expect(unknown.map(({ method, path }) => `${method} ${path}`)).to.deep.equal([]);
      });
      after(() => opened.service.close());
      for (const type of typeNames.filter((type) => serves(server, type)))
        define(caseOf(type, server, opened, place), place);
    });
  }
}

function serves({ setup: { apis, dialect }, leftOut }: Server, type: TypeName): boolean {
  if (leftOut?.[type]) return false;
  if (resources[type].dialect && resources[type].dialect !== dialect) return false;
  return apis === "both" || operationOn(apis, resources[type].operations.create).api === apis;
}

function caseOf(
  type: TypeName,
  server: Server,
  opened: { readonly service: OpenService; readonly session: Session },
  place: number,
): Case {
  const { setup, isReal = false } = server;
  const resource: Resource = resources[type];
  const example = examples[type];
  const isValid = (program: PropertyMap, before: PropertyMap = {}) =>
    check(resource, before, program, opened.session).failures.length === 0;
  const isNewer = (program: PropertyMap, { version = "2.99" }: Setup) =>
    membersSince(resource.inputs, program).some(({ since }) => isOlder(version, since));
  const isSupported = (label: string, program: PropertyMap, on: Setup) =>
    !isNewer(program, on) &&
    Object.entries(example.needs?.[label] ?? {}).every(([name, value]) => on[name as keyof Setup] === value);
  const peers = servers.filter((peer) => peer.setup.dialect === setup.dialect && serves(peer, type));
  const hostOf = (at: number) => hostNames[(at + place) % hostNames.length] as HostName;
  return {
    type,
    noun: withArticle(resource.noun),
    resource,
    example,
    setup,
    isReal,
    hostOf,
    isValid,
    newer: Object.entries(example.wholes).filter(([, whole]) => isNewer(whole, setup)),
    get service() {
      return opened.service;
    },
    programs() {
      const supported = Object.entries(example.wholes).filter(([label, whole]) =>
        isSupported(label, whole, setup),
      );
      expect(supported, "programs for this server").not.to.be.empty;
      return supported.map(([label, whole], at) => {
        const homes = peers.filter((peer) => isSupported(label, whole, peer.setup));
        // Examples of programs may contain undefined properties, which the conversion to JSON removes.
        const complete = JSON.parse(JSON.stringify(whole));
        const program = supportedPart(resource.inputs, complete, opened.session) as JsonObject;
        expect(check(resource, {}, program, opened.session).failures, label).to.deep.equal([]);
        const isHome = homes[Object.keys(example.wholes).indexOf(label) % homes.length] === server;
        return { label, program, host: hostOf(at), isHome: isWhole || isHome };
      });
    },
    async created(host, program, isInSet = false) {
      await opened.service.reset();
      const managed = Object.assign(new Managed(type, host, opened.service), { isInSet });
      await managed.up(program);
      return managed;
    },
    async record({ id }) {
      const { updatedAt, since, ...record } = (await opened.service.find(type, id)) ?? {};
      return example.lasting?.(record) ?? record;
    },
    writes: async (since = 0) =>
      (await opened.service.requests())
        .slice(since)
        .filter(
          ({ method, operation = "" }) => method !== "GET" && !/^(validate|createUdfUpload)/.test(operation),
        ),
  };
}

/** Returns a request body as the sandbox's journal of requests records it: without secrets. */
export function journaled(body: unknown, recorded: unknown): unknown {
  if (recorded === "[redacted]") return recorded;
  if (Array.isArray(body) && Array.isArray(recorded))
    return body.map((entry, at) => journaled(entry, recorded[at]));
  if (!isObject(body) || !isObject(recorded)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, journaled(value, recorded[name])]),
  );
}
