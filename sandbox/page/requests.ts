import { useState } from "preact/hooks";
import { changeHeader } from "../http/console/changeHeader";

/**
 * Sends a change by the user of the console to the sandbox. The page sees its outcome in the events that the server sends.
 * @throws Error with the reason, if the sandbox refuses
 */
export async function change(method: string, path: string, body?: object): Promise<void> {
  await ask(method, path, body);
}

export async function ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const response = await fetch(path, {
    method,
    headers: { [changeHeader]: "1", ...(body && { "content-type": "application/json" }) },
    body: body && JSON.stringify(body),
  }).catch(() => {
    throw new Error("The sandbox does not respond. Is it still running?");
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.error ?? `The sandbox responded with status ${response.status}.`);
  return answer;
}

/** Shows the reason on the console's page if the latest change by a button was refused. */
export function useChange(): readonly [failure: string, run: (change: Promise<void>) => void] {
  const [failure, setFailure] = useState("");
  const run = (change: Promise<void>) => {
    change.then(
      () => setFailure(""),
      (error: Error) => setFailure(error.message),
    );
  };
  return [failure, run];
}
