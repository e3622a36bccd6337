import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../apiError";

/** Where the build puts the page: the same path from src/console and from dist/console. */
const folder = join(__dirname, "..", "..", "dist", "page");

const files = {
  "/": ["index.html", "text/html; charset=utf-8"],
  "/app.js": ["app.js", "text/javascript; charset=utf-8"],
  "/app.css": ["app.css", "text/css; charset=utf-8"],
  "/icon.svg": ["icon.svg", "image/svg+xml"],
} as const;

/** Serves the page of the console. */
export function pageRoutes(app: FastifyInstance): void {
  for (const [path, [name, type]] of Object.entries(files)) {
    app.get(path, async (_request, reply) => reply.type(type).send(read(name)));
  }
}

function read(name: string): Buffer {
  try {
    return readFileSync(join(folder, name));
  } catch {
    throw new ApiError(503, "the page of the console is not built; run npm run build");
  }
}
