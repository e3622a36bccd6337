import { nextList } from "../../lifecycle/polling";
import type { Context } from "../../lifecycle/scope";
import type { PropertyMap } from "../../values/data";
import { settled } from "../udfs/settling";

/** The most characters of what a failed build has written that an error shows: the reason is at the end. */
const mostOfLog = 2000;

/**
 * Waits for the build of a version, or of a later one.
 * @returns the newest version, which may have failed
 */
export async function buildOf(
  id: string,
  version: number,
  minutes: number,
  { session, scope }: Context,
): Promise<PropertyMap> {
  const look = async () => {
    // All functions that are built share the lists. A list may lag behind, and show the version before.
    const udfs: readonly PropertyMap[] = await nextList("listUdfs", scope, session);
    const object = udfs.find(({ functionName }) => functionName === id);
    if (!object || Number(object.version) < version) return { status: "not shown yet", isSettled: false };
    const { status } = object;
    return { status: String(status), object, isSettled: ["ready", "error"].includes(String(status)) };
  };
  return (await settled(`version ${version} of UDF ${id}`, minutes, look, session)) ?? {};
}

/**
 * Waits until a version is built.
 * @throws Error with what the build has written if it failed, or if somebody else has published a later version
 */
export async function awaitBuild(
  id: string,
  version: number,
  minutes: number,
  context: Context,
): Promise<PropertyMap> {
  const udf = await buildOf(id, version, minutes, context);
  if (Number(udf.version) > version)
    throw new Error(
      `UDF ${id} has version ${udf.version} now, which somebody else has published while version ${version} was built; run pulumi refresh to see how it differs`,
    );
  if (udf.status === "ready") return udf;
  const { error } = udf;
  const log = typeof error === "string" && error.trim() !== "" ? error.trim() : "the service gave no reason";
  throw new Error(
    `the build of version ${version} of UDF ${id} failed; services keep the version that they run. Mend the code and run pulumi up, which publishes the next version\n${log.length > mostOfLog ? `…${log.slice(-mostOfLog)}` : log}`,
  );
}
