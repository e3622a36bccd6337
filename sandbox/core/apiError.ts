/**
 * The formats in which HyperDX's observability API reports errors. The management API of ClickHouse Cloud has only one format.
 */
export type ErrorShape = "message" | "error" | "text" | "html" | "empty";

/** The sandbox throws this error to refuse a request. Each API reports it to the client in its own format. */
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
