import { isObject, type PropertyMap } from "../../provider/values/data";
import { parseJson } from "../../provider/values/json";
import { textOfFile } from "../shared/textFile";

/** An object in a JSON file: an export of HyperDX's dashboard page, or a response of the API. */
export interface ObjectInFile {
  readonly type: "Dashboard" | "Alert";
  /** The file of the object and, in a list, the path in it, for messages. */
  readonly place: string;
  readonly value: PropertyMap;
}

/** Reads dashboards and alerts of JSON files: an object, a list, or a response of the API with either in `data` or `result`. */
export async function readJsonFiles(paths: readonly string[]): Promise<ObjectInFile[]> {
  const files = paths.map(async (path) => objectsIn(parseJson(await textOfFile(path)), path));
  return (await Promise.all(files)).flat();
}

function objectsIn(json: unknown, file: string): ObjectInFile[] {
  if (typeof json === "string") throw new Error(`${file} is not JSON`);
  const member = isObject(json)
    ? ["data", "result"].find((name) => typeof json[name] === "object")
    : undefined;
  const content = isObject(json) && member !== undefined ? json[member] : json;
  if (!Array.isArray(content)) return [objectOf(content, file, member)];
  return content.map((value, index) => objectOf(value, file, `${member ?? ""}[${index}]`));
}

function objectOf(value: unknown, file: string, path = ""): ObjectInFile {
  const place = path === "" ? file : `${file}: ${path}`;
  const fail = (why: string) => {
    throw new Error(`${place} ${why}`);
  };
  if (!isObject(value)) return fail("is not an object");
  if ("threshold" in value && !("tiles" in value)) return { type: "Alert", place, value };
  if (!("tiles" in value))
    return fail("is neither a dashboard, which has tiles, nor an alert, which has a threshold");
  for (const name of ["tiles", "filters", "containers", "savedFilterValues"]) {
    const list = value[name] ?? [];
    if (!Array.isArray(list)) return fail(`is no dashboard: ${name} must be a list`);
    const wrong = list.findIndex((entry) => !isObject(entry));
    if (wrong >= 0) return fail(`is no dashboard: ${name}[${wrong}] must be an object`);
  }
  return { type: "Dashboard", place, value };
}
