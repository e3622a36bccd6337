/** One line of the engine's event log. */
export interface PulumiEvent {
  resOutputsEvent?: { metadata: StepMetadata };
  resOpFailedEvent?: { metadata: StepMetadata };
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
export interface StepState {
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

/** Numbers of resources by operation. */
export type Summary = Partial<
  Record<"create" | "update" | "replace" | "delete" | "same" | "read" | "import", number>
>;

/** The steps of the program's own resources: neither the stack nor the providers that the engine makes up. */
export function stepsOf(events: PulumiEvent[]): Step[] {
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
export function summaryOf(events: PulumiEvent[]): Summary {
  const counted = new Set<string>(["create", "update", "replace", "delete", "same", "read", "import"]);
  const summary: Record<string, number> = {};
  for (const { op, failed } of stepsOf(events)) {
    if (!failed && counted.has(op)) summary[op] = (summary[op] ?? 0) + 1;
  }
  return summary;
}

function isDefaultProvider({ type, urn }: StepMetadata): boolean {
  return type.startsWith("pulumi:providers:") && /::default(_[^:]*)?$/.test(urn);
}
