import { isDeepStrictEqual } from "node:util";
import type { Pipe } from "../../../sandbox/core/resources/pipeRecords";
import { sourceOf } from "../../../sandbox/core/resources/productPipes";
import type { ReversePrivateEndpoint } from "../../../sandbox/index";
import type { Data } from "../../promises/store";
import { endOf } from "./console";
import { withoutTrueLines } from "./trueLines";

const has = (whole: Data, part: Data): boolean =>
  Object.entries(part).every(([name, value]) => isDeepStrictEqual(whole[name], value));

const sorted = (list: unknown) =>
  (list as object[]).map((entry) => JSON.stringify(Object.entries(entry).sort())).sort();

/** Lists the declared inputs of a pipe whose values in the simulated service differ. */
export function otherwise(record: Pipe | ReversePrivateEndpoint, name: string, args: Data): string[] {
  const inputs = withoutTrueLines(name, args);
  if (!("source" in record)) {
    const { customPrivateDnsMappings: wanted } = inputs;
    const mappings = sorted(record.customPrivateDnsMappings ?? []);
    return wanted && !isDeepStrictEqual(mappings, sorted(wanted)) ? ["customPrivateDnsMappings"] : [];
  }
  const { kind, members } = sourceOf({ source: inputs.source as object });
  const { members: live } = sourceOf(record);
  const { tableMappings = [], settings = {}, ...own } = members;
  const { columns } = inputs.destination as Data;
  const { credentials } = inputs;
  const sent = record.credentials as Data;
  const areMapped =
    (tableMappings as object[]).length === ((live.tableMappings as object[] | undefined) ?? []).length &&
    (tableMappings as Data[]).every((mapping) =>
      (live.tableMappings as Data[]).some((other) => has(other, mapping)),
    );
  const end = endOf(record);
  return Object.entries({
    name: record.name === inputs.name,
    source: has(live, own) && has((live.settings as Data) ?? {}, settings as Data) && areMapped,
    destination: columns === undefined || isDeepStrictEqual(record.destination.columns, columns),
    fieldMappings:
      inputs.fieldMappings === undefined ||
      isDeepStrictEqual(sorted(record.fieldMappings), sorted(inputs.fieldMappings)),
    settings: has(record.settings, (inputs.settings as Data) ?? {}),
    scaling: has(record.scaling as unknown as Data, (inputs.scaling as Data) ?? {}),
    credentials: isDeepStrictEqual(kind === "objectStorage" ? sent.accessKey : sent.credentials, credentials),
    state: inputs.state === undefined || end === inputs.state || end === "Completed",
  }).flatMap(([name, isDeclared]) => (isDeclared ? [] : [name]));
}
