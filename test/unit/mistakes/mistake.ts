import { type TypeName, typeNames } from "../../../provider/resources/registry";
import { createSandbox, type Fault, type Sandbox, type SandboxOptions } from "../../../sandbox/index";
import { settingsOf } from "../../serviceContents";
import { captureWarnings, type Host, hostWith, type RawSettings } from "../hosts/dynamic/hostProcess";
import type { JsonObject } from "../resources/example";

/** Makes a user's mistake, and returns the messages that the user gets. */
export type Play = (world: World) => Promise<string>;

/**
 * The mistakes of users in one area, such as the network. Each area is a section of docs/troubleshooting.md, which has the
 * messages and remedies.
 */
export interface Area {
  readonly title: string;
  readonly mistakes: { readonly [mistake: string]: Play };
}

/** Changed settings of the provider by name. The value undefined removes a setting. */
export type Changes = { readonly [setting: string]: string | undefined };

/** The environment of a user who makes a mistake: a service, and a provider with settings for it. */
export class World {
  private constructor(readonly sandbox: Sandbox) {}

  static async use<Result>(
    use: (world: World) => Promise<Result>,
    options?: SandboxOptions,
  ): Promise<Result> {
    const sandbox = await createSandbox(options);
    try {
      return await use(new World(sandbox));
    } finally {
      await sandbox.close();
    }
  }

  settings(changes: Changes = {}): RawSettings {
    return { ...settingsOf(this.sandbox), maxRetries: "0", ...changes };
  }

  async preview(type: TypeName, inputs: object, changes?: Changes): Promise<string> {
    const { lines, restore } = captureWarnings();
    try {
      const { failures = [] } = await hostWith(this.settings(changes))[type].check({}, inputs);
      return [...failures.map(({ reason }) => reason), ...lines].join("\n");
    } finally {
      restore();
    }
  }

  async created(
    type: TypeName,
    declared: object,
  ): Promise<{ id: string; state: JsonObject; host: Host[TypeName] }> {
    const host = hostWith(this.settings())[type];
    const { inputs, failures = [] } = await host.check({}, declared);
    if (failures.length > 0) throw new Error(`the preview fails: ${failures.map(({ reason }) => reason)}`);
    const { id, outs } = await host.create(inputs);
    return { id, state: outs as JsonObject, host };
  }

  async creation(type: TypeName, declared: object, changes?: Changes): Promise<string> {
    const host = hostWith(this.settings(changes))[type];
    const { inputs, failures = [] } = await host.check({}, declared);
    if (failures.length > 0) return `the preview fails: ${failures.map(({ reason }) => reason).join("\n")}`;
    return messageOf(() => host.create(inputs));
  }

  /**
   * Replaces the parts of a message that differ from run to run by placeholders, since docs/troubleshooting.md repeats the
   * message.
   */
  constant(text: string): string {
    const { organizationId, serviceId } = this.sandbox.credentials;
    return text
      .replaceAll(organizationId, "<organization>")
      .replaceAll(serviceId, "<service>")
      .replaceAll(webhookId, "<webhook>")
      .replaceAll(typeNames.join(", "), "<types>")
      .replace(/(127\.0\.0\.1|localhost):\d+/g, "$1:<port>")
      .replace(/request [\w-]{36}/g, "request <id>");
  }
}

export async function messageOf(run: () => Promise<unknown>): Promise<string> {
  try {
    await run();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("nothing went wrong");
}

/** Defines a user's mistake whose message appears in the preview of a resource with these inputs. */
export function previewOf(type: TypeName, inputs: object, changes?: Changes): Play {
  return (world) => world.preview(type, inputs, changes);
}

/** Defines a user's mistake that the preview does not find, and whose message appears in the create. */
export function creationOf(type: TypeName, inputs: object, changes?: Changes): Play {
  return (world) => world.creation(type, inputs, changes);
}

/**
 * Defines a user's mistake whose message appears when the creation of a resource (by default an API key) fails in the given
 * form.
 */
export function failingCreationOf(
  kind: Fault["kind"],
  type: TypeName = "ApiKey",
  inputs: object = key,
): Play {
  return async (world) => {
    await world.sandbox.faults.add({ kind, operation: "*" });
    return world.creation(type, inputs);
  };
}

const webhookId = "65f1c0a2b3d4e5f607182921";

export const onSearch = {
  ...{ threshold: 5, interval: "5m", thresholdType: "above", source: "search" },
  channel: { type: "webhook", webhookId },
};

/** A valid tile. */
export const tile = { name: "Errors", x: 0, y: 0, w: 12, h: 4, series: [{ type: "number", aggFn: "count" }] };

/** A valid key. */
export const key = { name: "Reports", roles: ["developer"] };
