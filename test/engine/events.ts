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

/** A resource before or after a step. Secrets are shown as `[secret]`. */
interface StepState {
  id: string;
  inputs: Record<string, unknown>;
  outputs: Record<string, unknown>;
}

/** The step of the engine, done or planned, for one resource. */
export interface Step {
  /** `create`, `update`, `same`, `replace`, `delete`, `refresh`, and the parts of a replacement, such as `create-replacement`. */
  op: string;
  urn: string;
  type: string;
  /** The resource's name in the program. */
  name: string;
  /** The properties whose changes make a replacement necessary. */
  replaceKeys: string[];
  old?: StepState;
  new?: StepState;
  /** Whether the step failed. */
  failed: boolean;
}

/** A message of a command to its user. */
export interface Message {
  /** `error`, `warning`, `info`, or `info#err` for what a program prints. */
  readonly severity: string;
  readonly text: string;
}

/** Numbers of resources by operation. */
export type Summary = Partial<
  Record<"create" | "update" | "replace" | "delete" | "same" | "read" | "import", number>
>;

/** The events of a command from the engine's log. */
export interface Events {
  /** The steps, done or planned, in the order in which they ended. */
  steps: Step[];
  /**
   * The numbers of resources that were created, updated, replaced, deleted or left unchanged, without the stack itself.
   */
  summary: Summary;
  /** The messages to the user. */
  messages: Message[];
}

/** Reads an event log. */
export async function readEvents(path: string): Promise<Events> {
  const text = existsSync(path) ? await readFile(path, "utf8") : "";
  // A killed CLI leaves an incomplete last line.
  const events = text.split("\n").slice(0, -1);
  const parsed = events.map((line) => JSON.parse(line) as PulumiEvent);
  const steps = stepsOf(parsed);
  return { steps, summary: summaryOf(steps), messages: messagesOf(parsed) };
}

/** The steps for the program's own resources, without the stack and default providers. */
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

/** Counts successful steps. A replacement counts once, and a refresh before a preview does not count. */
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
