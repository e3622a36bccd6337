/** Whose keys sign: those of the stacks, and one for a provider instance with credentials of its own. */
export type Signer = "a" | "b" | "other";

/** What somebody signs with. The keys are of somebody else: the service has them from the beginning. */
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
