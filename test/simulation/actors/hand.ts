import type { Tile } from "../../../sandbox/core/resources/dashboardRecords";
import { type CollectionName, resources } from "../../../sandbox/core/resources/registry";
import { isCollection, isKind, type Kind, kindOf, ofKind } from "../../promises/kinds";
import type { Data } from "../../promises/store";
import { drawOf, draws, type TypeName } from "../draws";
import type { HandStep } from "../history";
import { dashboardOf, serviceId, setBefore, tileOf } from "../world/contents";
import { stored } from "../world/habits";
import { setByOthers, type WorldPart } from "../world/others";
import type { Service } from "../world/simulatedService";

interface Target {
  readonly kind: Kind;
  readonly record: { readonly id: string } & Data;
}

/** Kinds of objects of which the service accepts no two with one name. */
const areNamedOnce: readonly Kind[] = ["webhooks", "savedQueries"];

/** Simulates a person who changes objects in the web console by hand and knows nothing of the Pulumi programs. */
export class Hand {
  /** Properties that the simulated person has set in the console while no program declared them, by `kind id`. */
  readonly set = new Map<string, ReadonlySet<string>>(
    Object.entries(setBefore).map(([key, members]) => [key, new Set<string>(members)]),
  );
  /** Properties that the simulated person has set inside a series of a tile, which is an entry of `select`. */
  readonly inside: {
    readonly dashboard: string;
    readonly tile: string;
    readonly index: number;
    readonly member: string;
  }[] = [];

  constructor(
    private readonly service: Service,
    world: readonly WorldPart[],
  ) {
    for (const [key, members] of setByOthers(world)) this.set.set(key, new Set(members));
  }

  /**
   * Carries out one step of the simulated person in the console.
   * @returns what was done, as a phrase that follows the word "Somebody"
   */
  act(step: HandStep): string {
    return this.service.act({ actor: "hand", step: step.number }, () => this.#act(step));
  }

  #act({ act, which }: HandStep): string {
    const { store, model } = this.service;
    const { ids } = model;
    const now = this.service.now;
    const theirs = this.#theirs();
    const target = theirs.at(which % Math.max(1, theirs.length));
    if (act === "create") {
      const dashboard = dashboardOf("Errors", ids.object(now), ids.object(now), this.#isOfProduct);
      this.#write("dashboards", { ...dashboard });
      return `creates dashboard ${dashboard.id}`;
    }
    if (act === "deleteOwn") {
      const isOwn = ({ actor, step }: { actor: string; step: number }) => actor === "hand" && step !== -1;
      const creations = [...model.store.dashboards.keys()].map((id) => store.creationOf("dashboards", id));
      const own = creations.find((creation) => creation && isOwn(creation));
      if (own) model.store.remove(resources.dashboards, own.id);
      return "deletes a dashboard of theirs";
    }
    if (!target) return "finds nothing to do";
    const { kind, record } = target;
    const what = `${kind} ${isCollection(kind) ? record.id : serviceId}`;
    switch (act) {
      case "delete":
        return this.#delete(target, what);
      case "createTwin": {
        if (!isCollection(kind) || areNamedOnce.includes(kind)) return "finds nothing to copy";
        const id = ids.alike(record.id, now);
        this.#write(kind, {
          ...record,
          id,
          ...("createdAt" in record && { createdAt: new Date(now).toISOString() }),
        });
        return `creates ${id}, a copy of ${what}`;
      }
      case "addTile": {
        if (kind !== "dashboards") return "finds no dashboard";
        const tile = tileOf("By hand", ids.object(now), 20, this.#isOfProduct);
        this.#write(kind, { ...record, tiles: [...(record.tiles as Tile[]), tile] });
        return `adds a tile to ${what}`;
      }
      case "setInside": {
        const boards = theirs.filter((each) => each.kind === "dashboards").map((each) => each.record);
        return this.#setInside(boards, which);
      }
      case "setUndeclared":
        return `sets ${this.#set(target, act)} of ${what}`;
      case "change":
        return `changes ${this.#set(target, act)} of ${what}`;
    }
  }

  get #isOfProduct(): boolean {
    return this.service.behaviour.dialect === "clickhouse";
  }

  /** Lists all objects that the simulated person has not created, and the service itself. */
  #theirs(): Target[] {
    const { store, model } = this.service;
    const isTheirs = (kind: Kind, id: string) =>
      kind === "services"
        ? id === serviceId
        : store.creationOf(kind, isCollection(kind) ? id : serviceId)?.actor !== "hand";
    return Object.keys(draws)
      .map(kindOf)
      .filter(isKind)
      .flatMap((kind) =>
        [...(model.store[kind].values() as Iterable<{ id: string }>)]
          .filter(({ id }) => isTheirs(kind, id))
          .map((record) => ({ kind, record: record as Target["record"] })),
      );
  }

  #write(kind: CollectionName, record: { readonly id: string } & Data): void {
    this.service.model.store.write<{ id: string }>(resources[kind], record);
  }

  #delete({ kind, record }: Target, what: string): string {
    if (kind === "services") return "leaves the service alone";
    try {
      this.service.model.store.remove(resources[kind], record.id);
      return `deletes ${what}`;
    } catch {
      return `cannot delete ${what}`;
    }
  }

  /**
   * Changes a property as a person does in the console: one that programs usually declare (`change`), or one that few programs
   * declare (`setUndeclared`).
   */
  #set({ kind, record }: Target, act: "change" | "setUndeclared"): string {
    const { type } = ofKind(kind);
    const set = stored(drawOf(type as TypeName)[act](record), this.service.behaviour);
    this.#write(kind, { ...record, ...set });
    if (act === "setUndeclared")
      this.#mark(kind, isCollection(kind) ? record.id : serviceId, ...Object.keys(set));
    return Object.keys(set).join(", ");
  }

  #setInside(dashboards: readonly Data[], which: number): string {
    const places = dashboards.flatMap((dashboard) =>
      (dashboard.tiles as readonly Data[]).flatMap((tile) => {
        const { select } = (tile.config ?? {}) as Data;
        return Array.isArray(select)
          ? select.map((entry: Data, index) => ({ dashboard, tile, entry, index }))
          : [];
      }),
    );
    const place = places.at(which % Math.max(1, places.length));
    if (!place) return "finds no series";
    const { dashboard, tile, entry, index } = place;
    const byHand: Data = { alias: "By hand", where: "by:hand", numberFormat: { output: "percent" } };
    const names = Object.keys(byHand).filter((name) => !entry[name]);
    const member = names[which % Math.max(1, names.length)];
    if (member === undefined) return "finds nothing to set";
    const set = (value: Data) => ({ ...value, [member]: byHand[member] });
    const config = tile.config as Data;
    const select = (config.select as readonly Data[]).map((each, at) => (at === index ? set(each) : each));
    const tiles = (dashboard.tiles as readonly Data[]).map((each) =>
      each === tile ? { ...tile, config: { ...config, select } } : each,
    );
    const id = String(dashboard.id);
    this.#write("dashboards", { ...dashboard, id, tiles });
    this.inside.push({ dashboard: id, tile: String(tile.id), index, member });
    return `sets ${member} of series ${index} of tile ${tile.id} of dashboards ${id}`;
  }

  #mark(kind: Kind, id: string, ...members: string[]): void {
    const key = `${kind} ${id}`;
    this.set.set(key, new Set([...(this.set.get(key) ?? []), ...members]));
  }
}
