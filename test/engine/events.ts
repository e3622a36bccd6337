import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";

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

interface StepState {
  id: string;
  inputs: Record<string, unknown>;
  outputs: Record<string, unknown>;
}

export interface Step {
  /**
   * The kind of the engine's step: `create`, `update`, `same`, `replace`, `delete`, `refresh`, or a part of a replacement such
   * as `create-replacement`.
   */
  op: string;
  urn: string;
  type: string;
  name: string;
  replaceKeys: string[];
  old?: StepState;
  new?: StepState;
  failed: boolean;
}

export interface Message {
  /** The severity of the engine's message: `error`, `warning` or `info`; `info#err` for a text that a program prints. */
  readonly severity: string;
  readonly text: string;
}

export type Summary = Partial<
  Record<"create" | "update" | "replace" | "delete" | "same" | "read" | "import", number>
>;

/** The events of a Pulumi command, from the log that the engine writes. */
export interface Events {
  /** The engine's steps, done or planned, in the order in which they ended. */
  steps: Step[];
  /** The numbers of resources that were created, updated, replaced, deleted or left unchanged, without the stack itself. */
  summary: Summary;
  messages: Message[];
}

export async function readEvents(path: string): Promise<Events> {
  const text = existsSync(path) ? await readFile(path, "utf8") : "";
  // A killed CLI leaves an incomplete last line in the engine's event log, so the last line is left out.
  const events = text.split("\n").slice(0, -1);
  const parsed = events.map((line) => JSON.parse(line) as PulumiEvent);
  const steps = stepsOf(parsed);
  return { steps, summary: summaryOf(steps), messages: messagesOf(parsed) };
}

/** Returns the engine's steps for the program's own resources, without the stack and default providers. */
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

/** Counts the engine's successful steps. A replacement counts once, and refreshes do not count. */
function summaryOf(steps: readonly Step[]): Summary {
  const counted = new Set<string>(["create", "update", "replace", "delete", "same", "read", "import"]);
  const summary: Record<string, number> = {};
  for (const { op, failed } of steps) {
    if (!failed && counted.has(op)) summary[op] = (summary[op] ?? 0) + 1;
  }
  return summary;
}

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
