import { ruleFailures, unsupportedMembers } from "../../provider/lifecycle/check";
import { decode } from "../../provider/lifecycle/decode";
import { declarationOf } from "../../provider/lifecycle/read";
import type { Scope } from "../../provider/lifecycle/scope";
import type { Session } from "../../provider/lifecycle/session";
import { declaredIn } from "../../provider/lifecycle/state";
import { resources } from "../../provider/resources/registry";
import { contentWarnings } from "../../provider/resources/tiles/tileContent";
import type { PropertyMap } from "../../provider/values/data";
import { type Failure, sentenceOf, validate, withLabels } from "../../provider/values/validate";
import { counted } from "../../provider/values/wording";
import { acceptedPart } from "./acceptedPart";
import type { FoundObject } from "./discover";
import type { ObjectInFile } from "./jsonFiles";
import { dashboardOfApi } from "./pageDashboard";

/** The objects of JSON files as a program would declare them, and warnings about what a program cannot declare. */
export interface DeclaredObjects {
  readonly objects: readonly FoundObject[];
  readonly warnings: readonly string[];
}

/** Makes declarations of new objects from those of JSON files; an error names the file and the property. */
export function declarationsOf(
  found: readonly ObjectInFile[],
  scope: Scope,
  session: Session,
): DeclaredObjects {
  const warnings: string[] = [];
  const objects = found.map(({ type, place, value }) => {
    const { dashboard: answer, lost } =
      type === "Dashboard" ? dashboardOfApi(value) : { dashboard: value, lost: [] };
    for (const what of lost) warnings.push(`${place}: left out ${what}, which the API cannot hold`);
    const resource = resources[type];
    const { inputs, outputs } = decode(resource, answer);
    const whole: PropertyMap = {
      ...scope,
      ...declarationOf(resource, declaredIn(resource, inputs), outputs),
    };
    const check = (declared: PropertyMap): Failure[] => {
      const invalid = validate(resource.inputs, declared);
      return invalid.length > 0 ? invalid : ruleFailures(resource, declared, undefined, session);
    };
    const { accepted: declared, lost: refused } =
      type === "Dashboard" ? acceptedPart(whole, check) : { accepted: whole, lost: [] };
    for (const what of refused) warnings.push(`${place}: left out ${what}, which the API cannot hold`);
    const unsupported = unsupportedMembers(resource.inputs, declared, session);
    const failures = unsupported.length > 0 ? unsupported : check(declared);
    if (failures.length > 0)
      throw new Error(`${place} cannot be declared: ${firstFailures(failures, declared)}`);
    for (const warning of contentWarnings(declared.tiles, session.settings))
      warnings.push(`${place}: ${warning}`);
    // An object that has no id in its JSON file is identified by its place in the file, since no other object can refer to it.
    const id = typeof value.id === "string" ? value.id : place;
    return { type, id, declared, state: { ...declared, ...outputs } };
  });
  return { objects, warnings };
}

const mostFailures = 3;

function firstFailures(failures: readonly Failure[], declared: PropertyMap): string {
  const sentences = withLabels(failures, declared).map(sentenceOf);
  const further = sentences.length - mostFailures;
  const more = further > 0 ? [`and ${counted(further, "more mistake")}`] : [];
  return [...sentences.slice(0, mostFailures), ...more].join("; ");
}
