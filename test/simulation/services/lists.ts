import type { Service } from "../../../sandbox/index";
import type { Data } from "../../promises/store";
import type { HttpRequest } from "../world/transport";
import { type Lists, shownForms } from "./history";

interface Entry {
  readonly source?: string;
  readonly key?: string;
  readonly value?: string;
  readonly description?: string;
}

type Change = { readonly add?: readonly Entry[]; readonly remove?: readonly Entry[] };

interface Body {
  readonly ipAccessList?: readonly Entry[] | Change;
  readonly tags?: readonly Entry[] | Change;
}

/** Returns whether a request has lists of a service. */
export function hasLists({ url, data }: HttpRequest): boolean {
  const { ipAccessList, tags } = (data ?? {}) as Body;
  return /\/services(\/[0-9a-f-]+)?$/.test(url) && (ipAccessList ?? tags) !== undefined;
}

const shown = (entries: readonly Entry[] = []): Entry[] =>
  entries.map((entry) =>
    entry.source === undefined ? entry : { ...entry, source: shownForms[entry.source] ?? entry.source },
  );

/**
 * Returns the request as the simulated service treats it: it writes addresses in its own form, and may ignore entries to add or
 * to remove.
 */
export function withLists(request: HttpRequest, lists: Lists): HttpRequest {
  if (!hasLists(request)) return request;
  const { ipAccessList, tags } = request.data as Body;
  const treated = (list: readonly Entry[] | Change | undefined) => {
    if (list === undefined || "length" in list) return list && shown(list);
    return {
      ...(list.add && lists !== "ignores add" && { add: shown(list.add) }),
      ...(list.remove && lists !== "ignores remove" && { remove: list.remove }),
    };
  };
  const treatedLists = { ipAccessList: treated(ipAccessList), tags: treated(tags) };
  return { ...request, data: { ...(request.data as object), ...treatedLists } };
}

/** Knows whose entries the lists of each simulated service have, and finds what is wrong with them. */
export class ListJudge {
  /** Names of the entries that a program has declared, by the service's id. */
  readonly #declared = new Map<string, Set<string>>();
  /** Addresses that somebody has added, by the service's id. */
  readonly #foreign = new Map<string, Set<string>>();

  noteDeclared(id: string, inputs: Data): void {
    for (const name of wantedBy(inputs).keys()) valueIn(this.#declared, id).add(name);
  }

  /**
   * Forgets the entries that only a killed program has declared: nothing has recorded them, so that nothing can tell them from a
   * colleague's.
   */
  noteKilled(id: string, inputs: Data, recorded: Data): void {
    const known = wantedBy(recorded);
    for (const name of wantedBy(inputs).keys())
      if (!known.has(name)) valueIn(this.#declared, id).delete(name);
  }

  noteForeign(id: string, source: string, isAdded: boolean): void {
    if (isAdded) valueIn(this.#foreign, id).add(source);
    else valueIn(this.#foreign, id).delete(source);
  }

  /** Names the entries of the program that are missing, have another value, or are still there although it has dropped them. */
  wrongIn(service: Service, inputs: Data): string[] {
    const [wanted, present] = [wantedBy(inputs), entriesOf(service)];
    const former = [...valueIn(this.#declared, service.id)].filter((name) => !wanted.has(name));
    return [
      ...[...wanted].flatMap(([name, value]) => (present.get(name) === value ? [] : [`${name} is wrong`])),
      ...former.flatMap((name) => (present.has(name) ? [`${name} is still there`] : [])),
    ];
  }

  /** Names the addresses of other people that the service has lost. */
  lostIn(service: Service): string[] {
    const present = entriesOf(service);
    return [...valueIn(this.#foreign, service.id)].filter((source) => !present.has(`address ${source}`));
  }
}

function valueIn(sets: Map<string, Set<string>>, id: string): Set<string> {
  const set = sets.get(id) ?? new Set();
  sets.set(id, set);
  return set;
}

/** The values of the entries of a service's lists, by names such as `address 192.0.2.1` and `tag team`. */
function entriesOf({
  ipAccessList,
  tags = [],
}: {
  readonly ipAccessList: readonly Entry[];
  readonly tags?: readonly Entry[] | undefined;
}): ReadonlyMap<string, string> {
  const named = [
    ...ipAccessList.map(({ source, description = "" }) => [`address ${source}`, description] as const),
    ...tags.map(({ key, value = "" }) => [`tag ${key}`, value] as const),
  ];
  // A service may have an entry twice, with an old and a new value.
  return new Map(
    named.map(([name]) => [
      name,
      named.flatMap(([other, value]) => (other === name ? [value] : [])).join(" | "),
    ]),
  );
}

const wantedBy = ({ ipAccessList, tags }: Data) =>
  entriesOf({ ipAccessList: shown(ipAccessList as Entry[]), tags: tags as Entry[] | undefined });
