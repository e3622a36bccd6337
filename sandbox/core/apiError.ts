/** The shapes in which the observability API reports errors; the management API has only one. */
export type ErrorShape = "message" | "error" | "text" | "html" | "empty";

/** Why an API refuses a request. Each API reports it in its own format. */
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
