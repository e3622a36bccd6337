import { isWrite } from "../../../sandbox/core/operations";
import type { Fault } from "../../../sandbox/index";
import { type Duration, durations } from "./step";

/** One row of the matrix: a fault, whichever call it happens to. */
export interface Variant {
  /** What the row is called. */
  readonly name: string;
  readonly fault: Omit<Fault, "operation" | "nth" | "from" | "api">;
  /** Heavy on memory and processor: only a few at once, and not the same thing twice. */
  readonly isHeavy?: boolean;
  /** Happens to one call alone, of those that change something: to others it makes no difference. */
  readonly isOfOneWrite?: boolean;
}

/** For how many calls a fault is tried out. */
export function durationsOf({ isHeavy, isOfOneWrite }: Variant): readonly Duration[] {
  return isHeavy ? ["lasting"] : isOfOneWrite ? ["once"] : durations;
}

/** Whether a fault makes a difference to a call. */
export function concerns({ isOfOneWrite }: Variant, { operation }: { readonly operation: string }): boolean {
  return !isOfOneWrite || isWrite(operation);
}

/** A wait that the server asks for, in seconds. */
const wait = 0.05;

/** A delay beyond the time limit of a call, in milliseconds. */
const tooLong = 35_000;

/** Every fault of the sandbox, at each moment at which it can happen. */
export function variantsFor(elsewhere: string): Variant[] {
  return [
    of("101"),
    of("400"),
    of("401"),
    of("403"),
    of("404"),
    of("404-gateway"),
    of("404-framework"),
    of("404-envelope"),
    of("403-firewall"),
    after("403-firewall"),
    of("408"),
    after("408"),
    of("409"),
    of("429", { seconds: wait }),
    of("429-date", { seconds: wait }),
    of("429-reset", { seconds: wait }),
    of("429-bare"),
    of("429-gateway", { seconds: wait }),
    after("429-gateway", { seconds: wait }),
    of("500"),
    after("500"),
    of("502"),
    after("502"),
    of("503", { seconds: wait }),
    after("503", { seconds: wait }),
    of("refused"),
    of("certificate"),
    of("reset"),
    after("reset"),
    of("reset-during"),
    of("delay", { milliseconds: 30 }),
    after("delay", { milliseconds: 30 }),
    { ...of("delay", { milliseconds: tooLong }), name: "`delay` beyond the time limit" },
    { ...after("delay", { milliseconds: tooLong }), name: "`delay` beyond the time limit, after" },
    of("cut-off"),
    of("cut-short"),
    of("not-json"),
    before("not-json"),
    of("no-content"),
    before("no-content"),
    of("accepted"),
    before("accepted"),
    ofOneWrite(of("ignored")),
    ofOneWrite(of("stale", { requests: 1000 })),
    ofOneWrite(of("stale-list", { requests: 1000 })),
    ofOneWrite(of("stale-get", { requests: 1000 })),
    ofOneWrite(of("stale-reads", { requests: 1000 })),
    ofOneWrite(later("503")),
    ofOneWrite(later("reset")),
    of("other-shape"),
    of("empty-object"),
    before("empty-object"),
    of("null-data"),
    before("null-data"),
    of("other-id"),
    of("no-id"),
    of("path-id"),
    of("blank-id"),
    of("foreign-id"),
    { ...of("huge"), isHeavy: true },
    { ...of("gzip-bomb"), isHeavy: true },
    of("redirect", { location: elsewhere }),
  ];
}

function of(kind: Fault["kind"], parameters: Partial<Fault> = {}): Variant {
  return { name: `\`${kind}\``, fault: { kind, ...parameters } };
}

function after(kind: Fault["kind"], parameters: Partial<Fault> = {}): Variant {
  return { name: `\`${kind}\`, after`, fault: { kind, when: "after", ...parameters } };
}

/** Carried out between the first look for what came of it and whatever follows. */
function later(kind: Fault["kind"]): Variant {
  return { name: `\`${kind}\`, later`, fault: { kind, when: "later", requests: 1 } };
}

function ofOneWrite(variant: Variant): Variant {
  return { ...variant, isOfOneWrite: true };
}

function before(kind: Fault["kind"]): Variant {
  return { name: `\`${kind}\`, before`, fault: { kind, when: "before" } };
}
