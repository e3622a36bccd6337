import { sha256 } from "../../sandbox/core/identifiers";
import { createSandbox, type Sandbox } from "../../sandbox/index";
import { settingsOf } from "../serviceContents";

/** A second organization, with credentials of its own and without pipes. */
export const other = {
  organizationId: "5b0f7b52-0c1e-4a57-8f0e-6d3f4b1c9a20",
  keySecret: "Other+Organization/Secret=%&42",
  accessToken: "other-organization-token-9d1c",
};

/** A sandbox that holds it. */
export async function createOther(): Promise<Sandbox> {
  const sandbox = await createSandbox();
  const { store } = sandbox;
  store.organization.id = other.organizationId;
  store.pipes.clear();
  for (const key of store.keys.values()) key.keySecretHash = sha256(other.keySecret);
  changeAccessToken(sandbox, other.accessToken);
  return sandbox;
}

/** Makes a sandbox accept another access token in place of the one that it has. */
export function changeAccessToken({ store }: Sandbox, accessToken: string): void {
  for (const token of store.accessTokens.values()) token.tokenHash = sha256(accessToken);
}

/** The settings with which a program works with it. */
export function settingsOfOther(sandbox: Sandbox): Record<string, string> {
  return { ...settingsOf(sandbox), ...other };
}
