/** How the observability API words an error; the management API has one shape for all. */
export type ErrorShape = "message" | "error" | "text" | "html" | "empty";

/** A request that an API refuses. Each API renders it in its own words. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly shape: ErrorShape = "message",
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
  }
}

export function badRequest(message: string): ApiError {
  return new ApiError(400, message);
}

export function notFound(message: string, shape?: ErrorShape): ApiError {
  return new ApiError(404, message, shape);
}
