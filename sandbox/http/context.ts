import type { FaultScript } from "../core/faults/script";
import type { Journal } from "../core/journal";
import type { Answers } from "../core/rewrites";
import type { Store } from "../core/store";
import type { Vocabulary } from "../core/vocabulary";
import type { Certificate } from "./certificate";
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
