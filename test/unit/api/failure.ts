export async function failureOf(promise: Promise<unknown>): Promise<Error> {
  let result: unknown;
  try {
    result = await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error(`expected a failure, got ${JSON.stringify(result)}`);
}

export async function failureOfType<Failure extends Error>(
  promise: Promise<unknown>,
  type: abstract new (...args: never[]) => Failure,
): Promise<Failure> {
  const error = await failureOf(promise);
  if (error instanceof type && error.constructor === type) return error;
  throw new Error(`expected ${type.name}, got ${error.constructor.name}: ${error.message}`);
}
