import type { Context } from "../../lifecycle/scope";
import type { PropertyMap } from "../../values/data";
import { isUnknown } from "../../values/unknown";
import { type Archive, archiveAt } from "./archive";

/** Adds the hash of the code to the inputs, by which an update sees that the code has changed. */
export function withHash(declared: PropertyMap) {
  const { sourcePath, sourceHash } = declared;
  if ((sourceHash ?? undefined) !== undefined || (sourcePath ?? undefined) === undefined)
    return { inputs: declared, failures: [] };
  if (typeof sourcePath !== "string" || isUnknown(sourcePath))
    return {
      inputs: { ...declared, ...(isUnknown(sourcePath) && { sourceHash: sourcePath }) },
      failures: [],
    };
  try {
    return { inputs: { ...declared, sourceHash: codeAt(sourcePath, declared).hash }, failures: [] };
  } catch (error) {
    return { inputs: declared, failures: [{ path: "sourcePath", message: (error as Error).message }] };
  }
}

/**
 * Reads the code of a function.
 * @throws Error if the code cannot be read, or Python could not start it
 */
function codeAt(sourcePath: string, { runtime }: PropertyMap): Archive {
  const archive = archiveAt(sourcePath);
  if (runtime === "python3.11" && !archive.hasMain)
    throw new Error(`${sourcePath} has no main.py at its root, with which Python starts: put it there`);
  return archive;
}

/**
 * Uploads the code, and names the upload in the body of the request that publishes it.
 * @throws Error if the code cannot be read or started, or is not what was checked
 */
export async function withUpload(
  { sourceHash, ...members }: PropertyMap,
  declared: PropertyMap,
  { session, scope }: Context,
): Promise<PropertyMap> {
  const { sourcePath } = declared;
  if (typeof sourcePath !== "string")
    throw new Error("sourcePath is missing, and each version of a UDF needs its code: declare where that is");
  const { bytes, hash } = codeAt(sourcePath, declared);
  if (sourceHash !== undefined && hash !== sourceHash)
    throw new Error(
      `sourcePath: the code at ${sourcePath} has the SHA-256 ${hash}, and not the declared ${sourceHash}; if it has just changed, run pulumi up again`,
    );
  const { organizationId } = scope;
  const { uploadId, uploadUrl } = await session.call("createUdfUpload", { organizationId });
  await session.upload(uploadUrl, bytes);
  return { ...members, uploadId };
}
