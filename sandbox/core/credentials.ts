/** The credentials and ids of a sandbox. They are the same in every sandbox, and useless anywhere else. */
export interface Credentials {
  organizationId: string;
  /**
   * The id of the sandbox's first service, which needs 2 to 50 replicas as the first of its warehouse. The access token belongs
   * to it.
   */
  serviceId: string;
  /** The id of the sandbox's second service, in the same warehouse, which needs 1 to 50 replicas. */
  secondServiceId: string;
  /** Id of the sandbox's admin key: the user name of Basic authentication on the management API. */
  keyId: string;
  /** Secret of the sandbox's admin key. */
  keySecret: string;
  /** Bearer token of the sandbox's observability API. */
  accessToken: string;
}

export const seededCredentials: Readonly<Credentials> = {
  organizationId: "3f1c6a52-7d0e-4b8f-9a41-5c2e8d7b6f10",
  serviceId: "7c2d9b40-6e15-4a83-b1f7-24d8e6a03c59",
  secondServiceId: "e95f3a17-0b6c-4d29-a8e4-91c7d5b2f06a",
  keyId: "SandboxK3y7Qm2Vt9Xb4",
  keySecret: "SandboxOnly8fJ2kLw0ZrT5yUe3HgN7cVb1MxQa9",
  accessToken: "sandbox-only-6b0f4c1e-92d7-4a3b-8e55-d1f07c29ab84",
};

/** The id of the team that all objects of a new sandbox belong to. */
export const seededTeam = "65f1c0a2b3d4e5f607182902";

/** The time at which most records of a new sandbox were created. */
export const seededAt = "2025-01-15T09:00:00.000Z";
