import { ApiError, badRequest } from "../apiError";
import type { Organization } from "../records";
import { authorizationOf } from "../request";
import { documentedRoute, type Route, type RouteContext } from "../routes";
import type { Resource } from "./resource";

const hour = 3_600_000;

/** The uploads of the source of functions. In the product another host takes the archives, here the sandbox itself. */
export const udfUploads = {
  place: "organization",
  dialect: "clickhouse",
  operations: ["createUdfUpload"] as const,
  path: () => "udfUploads",

  routes({ store, ids }: RouteContext): Route[] {
    return [
      documentedRoute<object>({
        operation: "createUdfUpload",
        method: "POST",
        path: "/url",
        run({ now, request: { origin = "http://management.localhost", url } }) {
          const [uploadId, signature] = [ids.uuid(), ids.uuid()];
          const upload = { signature, expiresAt: now + hour };
          store.organization.udfUploads = { ...store.organization.udfUploads, [uploadId]: upload };
          const path = url.replace(/\/url(\?.*)?$/, `/${uploadId}?signature=${signature}`);
          const expiresAt = new Date(upload.expiresAt).toISOString();
          return { uploadId, uploadUrl: origin + path, expiresAt };
        },
      }),
      documentedRoute<undefined>({
        method: "PUT",
        path: "/:id",
        isOpen: true,
        isUpload: true,
        run({ id, now, query: { signature }, request }) {
          const upload = store.organization.udfUploads?.[id];
          // Presigned addresses of object stores refuse a request that is signed in a second way.
          if (authorizationOf(request) !== "") throw badRequest("Only one auth mechanism allowed");
          if (!upload || upload.signature !== signature) throw new ApiError(403, "SignatureDoesNotMatch");
          if (upload.expiresAt <= now) throw new ApiError(403, "Request has expired");
          upload.archive = Buffer.from(request.body ?? "", "latin1").toString("base64");
        },
      }),
    ];
  },
} as const satisfies Resource;

/**
 * Takes the archive of an upload for a new version of a function.
 * @throws ApiError if there is no such upload, nothing was uploaded, or the upload is used or too old
 */
export function takenUpload({ udfUploads: uploads = {} }: Organization, id: string, now: number): Buffer {
  const upload = uploads[id];
  if (!upload) throw badRequest(`Unknown uploadId ${id}`);
  if (upload.isUsed) throw new ApiError(409, `Upload ${id} has been used already`);
  if (upload.expiresAt <= now) throw new ApiError(410, `Upload ${id} has expired`);
  if (upload.archive === undefined) throw badRequest(`Nothing was uploaded for uploadId ${id}`);
  upload.isUsed = true;
  const archive = Buffer.from(upload.archive, "base64");
  delete upload.archive;
  return archive;
}

/** The names of the files in a ZIP archive, from its directory; undefined for anything else. */
export function sourceFiles(archive: Buffer): string[] | undefined {
  const end = archive.lastIndexOf("PK\x05\x06", undefined, "latin1");
  if (end < 0 || archive.length < end + 22) return undefined;
  let at = archive.readUInt32LE(end + 16);
  return Array.from({ length: archive.readUInt16LE(end + 10) }, () => {
    const lengths = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset));
    const [name = 0, ...further] = lengths;
    const begin = at + 46;
    at = begin + name + further.reduce((sum, length) => sum + length, 0);
    return archive.toString("utf8", begin, begin + name);
  });
}
