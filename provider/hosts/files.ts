import { readFileSync } from "node:fs";
import { signature } from "../engine/engineValues";
import { isObject, type PropertyMap } from "../values/data";
import { annotationsOf, schemaAt } from "../values/schema";
import type { TObject } from "../values/schemaBuilders";
import { unknown } from "../values/unknown";
import type { Failure } from "../values/validate";

/** The value by which the Pulumi engine marks an asset (a file, a text or an address) in serialized properties. */
const assetMark = "c44067f5952c0a294b673a41bacd8c17";

interface Texts {
  readonly data: PropertyMap;
  /** Failures for file assets that cannot be read; the data has an unknown value in their places. */
  readonly failures: readonly Failure[];
}

/** Replaces files (assets) by their texts where the schema allows files, so that the state and previews compare texts. */
export function withTexts(schema: TObject, properties: PropertyMap): Texts {
  const failures: Failure[] = [];
  const members = Object.entries(properties).map(([name, value]) => {
    if (!annotationsOf(schemaAt(schema, name)).fromFile || !isAsset(value)) return [name, value] as const;
    try {
      return [name, textOf(value)] as const;
    } catch (error) {
      failures.push({ path: name, message: (error as Error).message });
      return [name, unknown] as const;
    }
  });
  return { data: Object.fromEntries(members), failures };
}

function isAsset(value: unknown): value is PropertyMap {
  return isObject(value) && value[signature] === assetMark;
}

/** The text of a Pulumi asset. Its path is relative to the program's folder, in which provider processes work. */
function textOf({ text = "", path, uri }: PropertyMap): string {
  if (typeof uri === "string" && uri !== "")
    throw new Error("must be a text or a local file: a RemoteAsset is not fetched");
  if (typeof path !== "string" || path === "") return String(text);
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const { code = "unknown reason" } = error as NodeJS.ErrnoException;
    throw new Error(`the file ${path} in ${process.cwd()} cannot be read (${code})`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error(`the file ${path} is not UTF-8 text`);
  }
}
