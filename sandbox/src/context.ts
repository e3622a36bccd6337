import type { Certificate } from "./certificate";
import type { FaultScript } from "./faults/script";
import type { Journal } from "./journal";
import type { Answers } from "./rewrites";
import type { Store } from "./store";
import type { Vocabulary } from "./vocabulary";
import type { Watchers } from "./watchers";

/** What both APIs and the console share. */
export interface SandboxContext {
  store: Store;
  answers: Answers;
  vocabulary: Vocabulary;
  journal: Journal;
  faults: FaultScript;
  /** Key and certificate, to serve with TLS. */
  tls?: Certificate;
  watchers: Watchers;
  /** Called after each request that may have changed the store. */
  changed(): void;
}
