import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { OrphansCommandOptions } from "../../../../cli/orphans/command";
import type { Orphan } from "../../../../cli/orphans/findOrphans";
import { resources, typeNames } from "../../../../provider/resources/registry";
import { useServiceFixture } from "../serviceFixture";

/**
 * The types whose objects count as orphans. Services are left out, since they may hold data, and so are their settings, which
 * are no objects that a stack leaves behind.
 */
export const createdTypes = typeNames.filter((type) => !resources[type].dialect && type !== "ServiceScaling");

export const namedTypes = typeNames.filter(
  (type) => createdTypes.includes(type) || resources[type].isNoOrphan === "unlessNamed",
);

export interface Report {
  organizationId: string | null;
  serviceId: string | null;
  states: string[];
  orphans: (Orphan & { deleted: boolean })[];
}

interface StateOptions {
  readonly name?: string;
  readonly pending?: readonly object[];
  /** True if the Pulumi state has the objects that every sandbox begins with, which is the default. */
  readonly seeded?: boolean;
}

type Options = OrphansCommandOptions & StateOptions;

/**
 * The reason why `pipestack orphans` keeps every API key on a server that cannot list services, such as one in the neutral
 * dialect.
 */
export const unlistedServices =
  "cannot tell which query endpoints use it: the server has no route for listServices";

/** The options of `pipestack orphans` in a pipeline that deletes orphans. */
export const deleting = { delete: true, yes: true };

export function resource(type: string, id: string, inputs: object = {}): object {
  const urn = `urn:pulumi:dev::test::pulumi-nodejs:dynamic/pipestack:${type}::${type}-${id}`;
  return { urn, type: `pulumi-nodejs:dynamic/pipestack:${type}`, id, inputs };
}

/** Provides a {@link useServiceFixture} with functions that write Pulumi states and run `pipestack orphans` on them. */
export function useOrphansFixture() {
  const fixture = useServiceFixture();

  async function state(
    resources: object[],
    { name = "state.json", pending = [], seeded = true }: StateOptions = {},
  ) {
    const { webhooks, connections, sources, savedSearches } = fixture.sandbox.store;
    const collections = {
      ...{ Webhook: webhooks, Connection: connections, Source: sources, SavedSearch: savedSearches },
    };
    const seededResources = Object.entries(seeded ? collections : {}).flatMap(([type, objects]) =>
      [...objects.keys()].map((id) => resource(type, id)),
    );
    const contents = { resources: [...resources, ...seededResources], pending_operations: pending };
    const path = join(fixture.folder, name);
    await writeFile(path, JSON.stringify({ version: 3, deployment: { manifest: {}, ...contents } }));
    return path;
  }

  async function run(resources: object[], options: Options = {}, settings: Record<string, string> = {}) {
    const { name, pending, seeded, ...given } = options;
    const files = given.state ?? [await state(resources, { name, pending, seeded })];
    return fixture.pipestack(["orphans", ...argumentsOf({ ...given, state: files })], settings);
  }

  async function report(resources: object[], options?: Options, settings?: Record<string, string>) {
    const result = await run(resources, { ...options, json: true }, settings);
    if (result.stdout === "") throw new Error(result.stderr);
    const report = JSON.parse(result.stdout) as Report;
    const { orphans } = report;
    return { ...result, report, ids: orphans.map(({ id }) => id), kept: orphans.map(({ kept }) => kept) };
  }

  const signingKey = () =>
    [...fixture.sandbox.store.keys.values()].find(({ name }) => name === "sandbox admin")?.id ?? "";
  return Object.assign(fixture, { state, run, report, signingKey });
}

function argumentsOf(options: OrphansCommandOptions): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    if (value === true) return [`--${name}`];
    if (name === "only" || !Array.isArray(value)) return [`--${name}`, String(value)];
    return value.flatMap((item) => [`--${name}`, item]);
  });
}
