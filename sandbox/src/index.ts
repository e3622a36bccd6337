export type { ApiName, JournalEntry } from "./journal";
export type { SandboxOptions } from "./options";
export type { RateLimit } from "./rateLimit";
export type * from "./records";
export { type Rewrite, rewriteNames } from "./rewrites";
export { createSandbox, type Sandbox } from "./sandbox";
export { type Credentials, seededCredentials } from "./seed";
export type { Store, StoreContents } from "./store";
export type { Dialect } from "./words";
