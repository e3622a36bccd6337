/** Who signs requests in a simulated history: stack a, stack b, or a provider instance with credentials of its own. */
export type Signer = "a" | "b" | "other";

/**
 * Returns the credentials of a signer (a stack or a provider instance). Their API keys belong to no stack: the service has them
 * from the beginning.
 */
export function credentialsOf(signer: Signer): {
  keyId: string;
  keySecret: string;
  accessToken: string;
} {
  return {
    keyId: `signing${signer}0123456789sgn${signer}`,
    keySecret: `sign/s+cret%of=${signer}&0123456789`,
    accessToken: `token/of+${signer}==0123456789`,
  };
}
