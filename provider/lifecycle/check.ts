import { dialects } from "../api/dialect";
import { forgottenCredentials } from "../api/settings";
import type { Data } from "../values/data";
import { annotationsOf } from "../values/schema";
import { plural } from "../values/wording";
import { withoutMissing } from "./drift";
import { beyondLimits } from "./limits";
import { mistypedWords } from "./mistyped";
import { isUnchanged, settingFailures } from "./neededSettings";
import { type Contract, isServed } from "./resource";
import type { Session } from "./session";
import { unsupportedMembers } from "./supported";
import { type Failure, sentenceOf, validate, withLabels } from "./validate";

/** The result of a check. */
export interface Checked {
  /** What the program declares, with what the settings add. */
  readonly inputs: Data;
  readonly failures: readonly Failure[];
  readonly warnings: readonly string[];
}

/** Checks what a program declares. `olds` are the inputs in state, empty for a new resource. */
export function check<Inputs extends object>(
  resource: Contract<Inputs>,
  olds: Data,
  news: Data,
  session: Session,
): Checked {
  const inputs = withoutMissing(resource.inputs, news, olds) as Data;
  const failures = settingFailures(resource, olds, inputs, session);
  failures.push(...validate(resource.inputs, inputs));
  if (failures.length === 0) failures.push(...unsupportedMembers(resource.inputs, inputs, session));
  if (failures.length === 0) {
    const declaredBefore = Object.keys(olds).length === 0 ? undefined : (olds as Partial<Inputs>);
    failures.push(...ruleFailures(resource, inputs as Partial<Inputs>, declaredBefore, session));
  }
  if (failures.length === 0 && !isServed(resource, session))
    failures.push({
      path: "",
      message: `the management API has no ${plural(resource.noun)}; for those of a self-hosted server, set obsBaseUrl, accessToken and observabilityVia to observability`,
    });
  if (failures.length > 0) return { inputs, failures: withLabels(failures, inputs), warnings: [] };
  return { inputs, failures, warnings: warningsOf(resource, inputs, session) };
}

/** What is wrong with inputs that are valid each by itself. `olds` is absent for a new resource. */
export function ruleFailures<Inputs extends object>(
  resource: Contract<Inputs>,
  inputs: Partial<Inputs>,
  olds: Partial<Inputs> | undefined,
  session: Session,
): Failure[] {
  const { namedBy } = resource;
  const failures = [
    // Hosts fill in the name of the resource.
    ...(namedBy && (inputs as Data)[namedBy] === undefined
      ? [{ path: namedBy, message: "is required" }]
      : []),
    ...(resource.failures?.(inputs, olds, session) ?? []),
  ];
  if (!dialects[session.settings.dialect].enforcesLimits) return failures;
  const beyond = beyondLimits(resource.inputs, inputs, "");
  return [...failures, ...beyond.filter(({ path }) => !failures.some((failure) => failure.path === path))];
}

/** The check of a host that can wait: what the service itself says of a change is part of it. */
export async function checkWithService<Inputs extends object>(
  resource: Contract<Inputs>,
  olds: Data,
  news: Data,
  session: Session,
): Promise<Checked> {
  const checked = check(resource, olds, news, session);
  // A preview never writes, and in an update the service is about to judge for itself.
  if (checked.failures.length > 0 || !resource.askService || session.hasWritten) return checked;
  if (isUnchanged(resource, olds, checked.inputs)) return checked;
  const failures = await resource.askService(checked.inputs, session);
  return { ...checked, failures: withLabels(failures, checked.inputs) };
}

function warningsOf<Inputs extends object>(
  resource: Contract<Inputs>,
  inputs: Data,
  session: Session,
): string[] {
  const deprecated = Object.entries(resource.inputs.properties).flatMap(([name, schema]) => {
    const { deprecated: reasons } = annotationsOf(schema);
    const reason = typeof reasons === "string" ? reasons : reasons?.[session.settings.dialect];
    return reason && inputs[name] !== undefined ? [`${resource.type}: ${name} is deprecated: ${reason}`] : [];
  });
  const mistyped = withLabels(mistypedWords(resource.inputs, inputs), inputs);
  const forgotten = resource.scope === "observability" ? forgottenCredentials(session.settings) : undefined;
  return [
    ...(forgotten ? [forgotten] : []),
    ...deprecated,
    ...mistyped.map((failure) => `${resource.type}: ${sentenceOf(failure)}`),
    ...(resource.warnings?.(inputs as Partial<Inputs>, session) ?? []),
  ];
}

/** Arguments in which the object's name defaults to the resource's name. */
export function withDefaultName<Arguments extends object>(
  { namedBy }: Pick<Contract, "namedBy">,
  resourceName: string,
  args: Arguments,
): Arguments {
  const given = args as Data | undefined;
  return namedBy === undefined || (given?.[namedBy] ?? undefined) !== undefined
    ? args
    : { ...args, [namedBy]: resourceName };
}
