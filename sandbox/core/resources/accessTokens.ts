import { seededCredentials } from "../credentials";
import { sha256 } from "../identifiers";
import type { Resource } from "./resource";

/** A bearer token of the observability API for one service, stored as a SHA-256 hash (hex). */
export interface AccessToken {
  id: string;
  serviceId: string;
  tokenHash: string;
}

/**
 * The access tokens of the observability API. The sandbox needs them to check requests, and no operation of the API shows them.
 */
export const accessTokens = {
  place: "observability",
  operations: [],
  path: () => "",
  seed(): AccessToken[] {
    const { serviceId, accessToken } = seededCredentials;
    return [{ id: "65f1c0a2b3d4e5f607182901", serviceId, tokenHash: sha256(accessToken) }];
  },
} as const satisfies Resource;
