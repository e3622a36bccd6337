import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";

/** One line of the engine's event log. */
interface PulumiEvent {
  resOutputsEvent?: { metadata: StepMetadata };
  resOpFailedEvent?: { metadata: StepMetadata };
  diagnosticEvent?: { severity: string; message: string; ephemeral?: boolean };
}

interface StepMetadata {
  op: string;
  urn: string;
  type: string;
  keys?: string[];
  old?: StepState | null;
  new?: StepState | null;
}

/** A resource before or after a step. Secrets read `[secret]`. */
interface StepState {
  id: string;
  inputs: Record<string, unknown>;
  outputs: Record<string, unknown>;
}

/** What the engine did, or plans to do, with one resource. */
export interface Step {
  /** `create`, `update`, `same`, `replace`, `delete`, `refresh`, and the parts of a replacement, such as `create-replacement`. */
  op: string;
  urn: string;
  type: string;
  /** The resource's name in the program. */
  name: string;
  /** The properties that make a replacement necessary. */
  replaceKeys: string[];
  old?: StepState;
  new?: StepState;
  /** The step was begun, and failed. */
  failed: boolean;
}

/** Something that a command tells its user. */
export interface Message {
  /** `error`, `warning`, `info`, or `info#err` for what a program prints. */
  readonly severity: string;
  readonly text: string;
}

/** Numbers of resources by operation. */
export type Summary = Partial<
  Record<"create" | "update" | "replace" | "delete" | "same" | "read" | "import", number>
>;

/** What the engine told of a command. */
export interface Events {
  /** What it did or plans to do, in the order in which it was finished. */
  steps: Step[];
  /** How many resources were created, updated, replaced, deleted or left as they are, without the stack itself. */
  summary: Summary;
  /** What it told the user. */
  messages: Message[];
}

/** Reads an event log. */
export async function readEvents(path: string): Promise<Events> {
  const text = existsSync(path) ? await readFile(path, "utf8") : "";
  // A CLI that is killed leaves half a line.
  const events = text.split("\n").slice(0, -1);
  const parsed = events.map((line) => JSON.parse(line) as PulumiEvent);
  const steps = stepsOf(parsed);
  return { steps, summary: summaryOf(steps), messages: messagesOf(parsed) };
}

/** The steps of the program's own resources: neither the stack nor the providers that the engine makes up. */
function stepsOf(events: PulumiEvent[]): Step[] {
  return events.flatMap(({ resOutputsEvent, resOpFailedEvent }) => {
    const metadata = (resOutputsEvent ?? resOpFailedEvent)?.metadata;
    if (metadata === undefined || metadata.type === "pulumi:pulumi:Stack" || isDefaultProvider(metadata))
      return [];
    return [
      {
        op: metadata.op,
        urn: metadata.urn,
        type: metadata.type,
        name: metadata.urn.slice(metadata.urn.lastIndexOf("::") + 2),
        replaceKeys: metadata.keys ?? [],
        old: metadata.old ?? undefined,
        new: metadata.new ?? undefined,
        failed: resOpFailedEvent !== undefined,
      },
    ];
  });
}

/** Counts what succeeded. A replacement counts once, and looking at a resource before a preview does not count. */
function summaryOf(steps: readonly Step[]): Summary {
  const counted = new Set<string>(["create", "update", "replace", "delete", "same", "read", "import"]);
  const summary: Record<string, number> = {};
  for (const { op, failed } of steps) {
    if (!failed && counted.has(op)) summary[op] = (summary[op] ?? 0) + 1;
  }
  return summary;
}

/** What a command tells its user, without marks for colors. */
function messagesOf(events: PulumiEvent[]): Message[] {
  return events.flatMap(({ diagnosticEvent }) => {
    if (!diagnosticEvent || diagnosticEvent.ephemeral || diagnosticEvent.severity === "debug") return [];
    const { severity, message } = diagnosticEvent;
    return [{ severity, text: message.replace(/<\{%.*?%\}>/g, "").trim() }];
  });
}

function isDefaultProvider({ type, urn }: StepMetadata): boolean {
  return type.startsWith("pulumi:providers:") && /::default(_[^:]*)?$/.test(urn);
}
