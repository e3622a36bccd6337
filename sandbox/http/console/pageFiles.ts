import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../../core/apiError";

/** The folders in which the build puts the console's page, relative to the sources and to `dist`. */
const folders = [join(__dirname, "..", "..", "dist", "sandbox", "page"), join(__dirname, "..", "..", "page")];

const files = {
  "/": ["index.html", "text/html; charset=utf-8"],
  "/app.js": ["app.js", "text/javascript; charset=utf-8"],
  "/app.css": ["app.css", "text/css; charset=utf-8"],
  "/icon.svg": ["icon.svg", "image/svg+xml"],
} as const;

export function pageRoutes(app: FastifyInstance): void {
  for (const [path, [name, type]] of Object.entries(files)) {
    app.get(path, async (_request, reply) => reply.type(type).send(read(name)));
  }
}

function read(name: string): Buffer {
  const folder = folders.find((candidate) => existsSync(join(candidate, "app.js")));
  if (!folder) throw new ApiError(503, "the page of the console is not built; run npm run build");
  return readFileSync(join(folder, name));
}
