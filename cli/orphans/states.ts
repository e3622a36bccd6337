import {
  explicitKey,
  isNameOfDefaultProvider,
  nameIn,
  stackKey,
  typeOfToken,
} from "../../provider/engine/names";
import { knownId, resourceKey } from "../../provider/lifecycle/run";
import type { Scope } from "../../provider/lifecycle/scope";
import { resources, type TypeName } from "../../provider/resources/registry";
import { isObject, type PropertyMap } from "../../provider/values/data";
import { counted } from "../../provider/values/wording";
import { parseExport, Stack, type StackExport, type StateResource } from "../engine/stack";
import { unknownEntries, withEntries } from "../shared/entries";
import { isSecret } from "../shared/secrets";
import { textOfFile } from "../shared/textFile";

export interface StateOptions {
  /** The names of the stacks whose Pulumi states are read. Default: the selected stack, unless files are given. */
  readonly stack?: readonly string[];
  /** Folders of Pulumi projects. Every given stack is read in every folder. Default: the current folder. */
  readonly cwd?: readonly string[];
  /** Files from `pulumi stack export` whose states are read. */
  readonly state?: readonly string[];
}

export interface NamedStack {
  readonly name: string;
  readonly stack: Stack;
}

/** The stacks that the options name, or the selected stack if they name no state at all. */
export function stacksOf({ stack, cwd, state }: StateOptions): NamedStack[] {
  if (!stack && !cwd && state) return [];
  return (cwd ?? ["."]).flatMap((folder) =>
    (stack ?? [undefined]).map((name) => {
      const place = cwd ? ` in ${folder}` : "";
      return {
        name: `${name === undefined ? "the selected stack" : name}${place}`,
        stack: new Stack(folder, name),
      };
    }),
  );
}

export async function readStates(options: StateOptions): Promise<Holdings> {
  const exports = [
    ...stacksOf(options).map(async ({ name, stack }) => ({
      name,
      ...parsed(name, await stack.export()),
      configuredKeyId: await configuredKeyIdOf(stack),
    })),
    ...(options.state ?? []).map(async (file) => ({ name: file, ...parsed(file, await textOfState(file)) })),
  ];
  return new Holdings(await Promise.all(exports));
}

/** The `keyId` of the stack's next update, which may differ from that of the last one; null if it cannot be read. */
async function configuredKeyIdOf(stack: Stack): Promise<string | null | undefined> {
  try {
    return (await stack.configuration()).get(stackKey("keyId"));
  } catch {
    return null;
  }
}

interface PlacedResource {
  readonly type: TypeName;
  readonly id: string;
  readonly name: string;
  /** Undefined for an object on a server without services. */
  readonly serviceId?: string;
  readonly organizationId?: string;
}

interface NamedExport extends StackExport {
  readonly name: string;
  /** The `keyId` in the stack's configuration, if it has one; null if the configuration cannot be read. */
  readonly configuredKeyId?: string | null | undefined;
}

/** The resources of several Pulumi states, which tell whether an object of the service is managed or used. */
export class Holdings {
  readonly #keys = new Set<string>();
  /** The resources whose objects belong to a service, or are on a server without services. */
  readonly placed: readonly PlacedResource[];
  readonly #texts: { readonly urn: string; readonly text: string }[] = [];
  /** Words in the Pulumi states that look like ids, each with the first resource that contains it. */
  readonly #words: ReadonlyMap<string, string>;
  /**
   * Parts of the words in the Pulumi states, by their length, to find ids inside longer words; each with the first resource
   * that contains it.
   */
  readonly #parts = new Map<number, ReadonlyMap<string, string>>();

  readonly names: readonly string[];
  /** The `keyId`s with which the providers in the Pulumi states sign requests. */
  readonly signers: readonly string[];
  /** The reasons why some `keyId`s of providers are unknown, as ends of sentences. */
  readonly unknownSigners: readonly string[];
  /** Types of objects in sets (alerts of an `AlertSet`) whose ids no Pulumi state shows, with reasons as ends of sentences. */
  readonly unknownEntries: ReadonlyMap<TypeName, string>;
  /** Sentences for the user about operations that an update began, and that may or may not have been carried out. */
  readonly unfinished: readonly string[];

  constructor(states: readonly NamedExport[]) {
    this.names = states.map(({ name }) => name);
    const resources = states.flatMap(({ resources, pending }) => [
      ...resources,
      ...pending.map(({ resource }) => resource),
    ]);
    for (const resource of withEntries(resources)) {
      const type = typeOfToken(resource.type);
      if (type && typeof resource.id === "string" && resource.id !== "")
        this.#keys.add(keyOf(type, resource.id, resource.inputs));
    }
    for (const resource of resources)
      this.#texts.push({ urn: resource.urn, text: JSON.stringify(resource).toLowerCase() });
    // A resource whose creation is unfinished has no id in the Pulumi state, so its object would count as an orphan. But while
    // an operation is unfinished, nothing is deleted.
    this.unknownEntries = new Map(states.flatMap(({ resources: held }) => unknownEntries(held)));
    this.placed = states.flatMap(({ resources }) => withEntries(resources).flatMap(placeOf));
    const words = new Map<string, string>();
    for (const { urn, text } of this.#texts)
      for (const [word] of text.matchAll(idLike)) if (!words.has(word)) words.set(word, urn);
    this.#words = words;
    this.signers = [
      ...resources.flatMap((resource) => keyIdsOf(resource).filter((keyId) => typeof keyId === "string")),
      ...states.flatMap(({ configuredKeyId }) => configuredKeyId ?? []),
    ];
    // A default provider has the settings of its stack's configuration, which tells the `keyId` even if the Pulumi state keeps
    // it secret.
    const isOfStack = ({ urn, inputs = {} }: StateResource) =>
      isNameOfDefaultProvider(nameIn(urn)) && !(explicitKey("keyId") in inputs);
    this.unknownSigners = states.flatMap(({ name, resources, configuredKeyId }) => [
      ...resources
        .filter((resource) => keyIdsOf(resource).some(isSecret) && !(configuredKeyId && isOfStack(resource)))
        .map(({ urn }) => `the provider ${nameIn(urn)} signs: its keyId is secret`),
      ...(configuredKeyId === null ? [`${name} signs: its configuration cannot be read`] : []),
    ]);
    this.unfinished = states.flatMap(({ name, pending }) => {
      const operations = pending.filter(({ resource }) => typeOfToken(resource.type));
      if (operations.length === 0) return [];
      const names = operations.map(({ type, resource }) => `${type} ${nameIn(resource.urn)}`);
      return `${name} has ${counted(operations.length, "unfinished operation")} (${names.join(", ")}), which may have created an orphan`;
    });
  }

  /** Whether a resource in the Pulumi states has the object, whether it manages it, only reads it, or waits to be deleted. */
  holds(type: TypeName, id: string, { organizationId }: Scope): boolean {
    return [{ organizationId }, {}].some((place) => this.#keys.has(keyOf(type, id, place)));
  }

  /** The name of a resource of any package whose inputs or outputs contain the given id. */
  userOf(id: string): string | undefined {
    const urn = this.#urnWith(id.toLowerCase());
    return urn && nameIn(urn);
  }

  #urnWith(id: string): string | undefined {
    if (id.replace(idLike, "") !== "") return this.#texts.find(({ text }) => text.includes(id))?.urn;
    return this.#words.get(id) ?? this.#partsOf(id.length).get(id);
  }

  /**
   * All parts of the given length of the words in the Pulumi states. They are computed once for each length, since searching
   * each word for each id would take minutes.
   */
  #partsOf(length: number): ReadonlyMap<string, string> {
    const cached = this.#parts.get(length);
    if (cached) return cached;
    const parts = new Map<string, string>();
    for (const [word, urn] of this.#words)
      for (let at = 0; word.length > length && at + length <= word.length; at++) {
        const part = word.slice(at, at + length);
        if (!parts.has(part)) parts.set(part, urn);
      }
    this.#parts.set(length, parts);
    return parts;
  }
}

/** Matches words in a Pulumi state that may contain ids: searching whole texts for thousands of ids would take minutes. */
const idLike = /[0-9a-z-]+/g;

/**
 * The inputs of provider resources that may hold the `keyId`, by the type of the provider: the dynamic provider has two (from
 * the stack's configuration, and of an explicit provider), the plugin has one.
 */
const signerNames: ReadonlyMap<string, readonly string[]> = new Map([
  ["pulumi:providers:pulumi-nodejs", [stackKey("keyId"), explicitKey("keyId")]],
  ["pulumi:providers:pipestack", ["keyId"]],
]);

/** The values of `keyId` in a provider resource, which may be texts or marks of secrets. */
function keyIdsOf({ type, inputs }: StateResource): unknown[] {
  return isObject(inputs) ? (signerNames.get(type) ?? []).map((name) => inputs[name]) : [];
}

/** The key of an object in a Pulumi state, which need not tell the organization of one that is named there. */
function keyOf(type: TypeName, id: string, { organizationId }: PropertyMap = {}): string {
  const isTold = typeof organizationId === "string";
  return resourceKey({ type }, isTold ? knownId(resources[type], id, { organizationId }) : id);
}

function placeOf({ urn, type: token, id, inputs, ...resource }: StateResource): PlacedResource[] {
  const type = typeOfToken(token);
  const { delete: isReplaced, pendingReplacement: isGone } = resource;
  if (!type || typeof id !== "string" || !isObject(inputs) || isReplaced || isGone) return [];
  const { serviceId, organizationId } = inputs;
  const isWithoutService = serviceId === undefined && resources[type].scope === "observability";
  if (typeof serviceId !== "string" && !isWithoutService) return [];
  const organization = typeof organizationId === "string" ? { organizationId } : {};
  const service = typeof serviceId === "string" ? { serviceId } : {};
  return [{ type, id, name: nameIn(urn), ...service, ...organization }];
}

async function textOfState(file: string): Promise<string> {
  try {
    return await textOfFile(file);
  } catch (error) {
    throw new Error(`cannot read the state file ${file} (${(error as NodeJS.ErrnoException).code})`);
  }
}

function parsed(name: string, text: string): StackExport {
  const contents = parseExport(text);
  if (!contents) throw new Error(`${name} is not an export of a stack; write it with "pulumi stack export"`);
  return contents;
}
