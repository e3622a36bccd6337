import type { Data, Kind, Store } from "../../promises/store";
import { adoptable, signingKeyId } from "../drawnProgram";
import { connectionId, sourceId, webhookIds } from "../drawnValues";
import type { HandStep } from "../history";
import type { Behaviour } from "../world/behaviour";
import { credentialsOf } from "../world/network";
import { collections, isCollection, nouns } from "../world/nouns";
import { type Ids, stored } from "../world/records";
import { deleteAlerts, savedSearchId, serviceId } from "../world/routes";

/** Somebody in the web page, who knows of no program. */
export class Hand {
  /** Members that were set by hand, by `kind id`: none of them is declared at that time. */
  readonly set = new Map<string, Set<string>>();
  /** What was set by hand inside an entry of `select`. */
  readonly inside: {
    readonly dashboard: string;
    readonly tile: string;
    readonly index: number;
    readonly member: string;
  }[] = [];

  constructor(
    private readonly store: Store,
    private readonly ids: Ids,
    private readonly behaviour: Behaviour,
  ) {}

  /** What the service has from the beginning. */
  furnish(): void {
    const by = { actor: "hand", step: -1 } as const;
    const { store } = this;
    const createdAt = "2027-01-01T00:00:00.000Z";
    const { Webhook = "", SavedSearch = "", Connection = "", Source = "" } = adoptable;
    for (const id of [connectionId, Connection])
      store.write(by, "connections", id, {
        ...{ id, name: "Of the team", host: "https://db.example.com:8443", username: "team", createdAt },
        ...{ password: "p4ssw0rd-by-hand", hyperdxSettingPrefix: "by_hand" },
      });
    for (const id of [sourceId, Source])
      store.write(by, "sources", id, {
        ...nouns.sources.byDefault,
        ...{ id, name: "Of the team", kind: "log", connection: connectionId, section: "by hand" },
        from: { databaseName: "otel", tableName: "logs" },
        ...{ timestampValueExpression: "Timestamp", defaultTableSelectExpression: "Timestamp" },
      });
    this.#mark("connections", Connection, "hyperdxSettingPrefix");
    this.#mark("sources", Source, "section");
    for (const id of [...webhookIds, Webhook])
      store.write(by, "webhooks", id, {
        id,
        name: `hook ${id.slice(-2)}`,
        service: "generic",
        url: `https://hooks.example.com/T0K3N${id.slice(-2)}`,
        description: "by hand",
        headers: { "x-by": "h34d3r-by-hand" },
        createdAt,
      });
    for (const id of [savedSearchId, SavedSearch]) {
      const search = { id, name: "Of the team", sourceId, where: "by:hand", tags: ["by hand"], createdAt };
      store.write(by, "saved-searches", id, { ...nouns["saved-searches"].byDefault, ...search });
    }
    this.#mark("webhooks", Webhook, "description", "headers");
    this.#mark("saved-searches", SavedSearch, "where", "tags");
    store.write(by, "service", serviceId, {
      id: serviceId,
      name: "warehouse",
      numReplicas: 3,
      idleScaling: true,
      idleTimeoutMinutes: 15,
    });
    for (const signer of ["a", "b", "other"] as const) {
      const { keyId, keySecret } = credentialsOf(signer);
      const id = signer === "a" ? signingKeyId : this.ids.uuid();
      const rest = {
        ...{ name: `signing ${signer}`, roles: ["admin"], state: "enabled", expireAt: null },
        usedAt: "2027-01-15T11:00:00Z",
      };
      store.write(by, "keys", id, {
        id,
        keyId,
        keySecret,
        keySuffix: keyId.slice(-4),
        signsFor: signer,
        ...rest,
      });
    }
    const dashboard = this.#dashboard("Of the team", this.ids.old());
    store.write(by, "dashboards", String(dashboard.id), dashboard);
    const alert = this.#alert({
      dashboardId: dashboard.id,
      tileId: (dashboard.tiles as Data[])[0]?.id,
      source: "tile",
    });
    store.write(by, "alerts", String(alert.id), alert);
    const { Alert = "", Dashboard = "", ApiKey = "" } = adoptable;
    store.write(by, "dashboards", Dashboard, {
      ...this.#dashboard("To adopt"),
      id: Dashboard,
      tags: ["by hand"],
    });
    store.write(by, "alerts", Alert, {
      ...this.#alert({}),
      id: Alert,
    });
    store.write(by, "keys", ApiKey, { ...this.#key("To adopt"), id: ApiKey });
    this.#mark("alerts", Alert, "name", "message");
    this.#mark("dashboards", Dashboard, "tags");
  }

  /** @returns what was done, to follow "Somebody" */
  act({ act, which, number }: HandStep): string {
    const by = { actor: "hand", step: number } as const;
    const { store } = this;
    const theirs = [...collections, "service" as const, "endpoint" as const].flatMap((kind) =>
      store
        .all(kind)
        .filter(({ id }) => kind === "service" || store.creationOf(kind, String(id))?.actor !== "hand")
        .map((record) => ({ kind, record })),
    );
    const target = theirs.at(which % Math.max(1, theirs.length));
    if (act === "create") {
      const dashboard = this.#dashboard("Errors");
      store.write(by, "dashboards", String(dashboard.id), dashboard);
      return `creates dashboard ${dashboard.id}`;
    }
    if (act === "deleteOwn") {
      const [own] = store
        .all("dashboards")
        .filter(({ id }) => store.creationOf("dashboards", String(id))?.step !== -1);
      if (own && store.creationOf("dashboards", String(own.id))?.actor === "hand")
        store.write(by, "dashboards", String(own.id), undefined);
      return "deletes a dashboard of theirs";
    }
    if (!target) return "finds nothing to do";
    const { kind, record } = target;
    const id = kind === "service" || kind === "endpoint" ? serviceId : String(record.id);
    const what = `${kind} ${id}`;
    switch (act) {
      case "delete":
        if (kind === "service") return "leaves the service alone";
        if (isCollection(kind) && nouns[kind].heldBy?.(id, store)) return `cannot delete ${what}`;
        store.write(by, kind, id, undefined);
        if (isCollection(kind)) deleteAlerts(store, by, kind, id, undefined);
        return `deletes ${what}`;
      case "createTwin": {
        if (kind === "service" || kind === "endpoint" || kind === "webhooks") return "finds nothing to copy";
        const twin = {
          ...record,
          id: kind === "keys" ? this.ids.uuid() : this.ids.object(),
          createdAt: new Date().toISOString(),
        };
        store.write(by, kind, String(twin.id), twin);
        return `creates ${twin.id}, a copy of ${what}`;
      }
      case "addTile": {
        if (kind !== "dashboards") return "finds no dashboard";
        const tiles = [
          ...(record.tiles as Data[]),
          {
            id: this.ids.object(),
            name: "By hand",
            x: 0,
            y: 20,
            w: 6,
            h: 4,
            series: [{ type: "number", aggFn: "count", where: "" }],
          },
        ];
        store.write(by, kind, id, { ...record, tiles });
        return `adds a tile to ${what}`;
      }
      case "setInside":
        return this.#setInside(
          by.step,
          theirs.filter((each) => each.kind === "dashboards").map((each) => each.record),
          which,
        );
      case "setUndeclared":
        return `sets ${this.#setUndeclared(by.step, kind, id, record)} of ${what}`;
      case "change":
        return `changes ${this.#change(by.step, kind, id, record)} of ${what}`;
    }
  }

  /** What a program may declare. */
  #change(step: number, kind: Kind, id: string, record: Data): string {
    const changes: Partial<Record<Kind, Data>> = {
      alerts: { threshold: Number(record.threshold) + 1 },
      dashboards: { name: `${record.name} 2` },
      keys: { roles: ["admin"] },
      service: { numReplicas: Number(record.numReplicas) + 1 },
      endpoint: { roles: ["sql_console_read_only", "sql_console_admin"] },
      webhooks: { url: `${record.url}2` },
      "saved-searches": { where: `${record.where} 2` },
      connections: { username: `${record.username} 2` },
      sources: { timestampValueExpression: `${record.timestampValueExpression}2` },
    };
    const change = changes[kind] ?? {};
    this.store.write({ actor: "hand", step }, kind, id, { ...record, ...change });
    return Object.keys(change).join(", ");
  }

  /** What few programs declare. */
  #setUndeclared(step: number, kind: Kind, id: string, record: Data): string {
    const sets: Partial<Record<Kind, Data>> = {
      alerts: { message: "by hand", name: "By hand" },
      dashboards: { tags: ["by hand"] },
      keys: { state: "disabled", expireAt: "2040-01-01T00:00:00.000Z" },
      service: { idleTimeoutMinutes: 33, idleScaling: record.idleScaling !== true },
      endpoint: { allowedOrigins: "https://by.hand.example" },
      webhooks: { description: "by hand", headers: { "x-by": "h34d3r-by-hand" } },
      "saved-searches": { orderBy: "by_hand", tags: ["by hand"] },
      connections: { hyperdxSettingPrefix: "by_hand" },
      sources: { section: "by hand", bodyExpression: "ByHand" },
    };
    const set = stored(sets[kind] ?? {}, this.behaviour);
    this.store.write({ actor: "hand", step }, kind, id, { ...record, ...set });
    this.#mark(kind, id, ...Object.keys(set));
    return Object.keys(set).join(", ");
  }

  /** Sets in a series of a tile what it does not have yet, as the page of the product does. */
  #setInside(step: number, dashboards: readonly Data[], which: number): string {
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
    const names = Object.keys(byHand).filter((name) => entry[name] === undefined);
    const member = names[which % Math.max(1, names.length)];
    if (member === undefined) return "finds nothing to set";
    const set = (value: Data) => ({ ...value, [member]: byHand[member] });
    const config = tile.config as Data;
    const select = (config.select as readonly Data[]).map((each, at) => (at === index ? set(each) : each));
    const tiles = (dashboard.tiles as readonly Data[]).map((each) =>
      each === tile ? { ...tile, config: { ...config, select } } : each,
    );
    const id = String(dashboard.id);
    this.store.write({ actor: "hand", step }, "dashboards", id, { ...dashboard, tiles });
    this.inside.push({ dashboard: id, tile: String(tile.id), index, member });
    return `sets ${member} of series ${index} of tile ${tile.id} of dashboards ${id}`;
  }

  #mark(kind: Kind, id: string, ...members: string[]): void {
    const key = `${kind} ${id}`;
    this.set.set(key, new Set([...(this.set.get(key) ?? []), ...members]));
  }

  #dashboard(name: string, id = this.ids.object()): Data {
    const tile = {
      id: this.ids.object(),
      name: "Errors",
      x: 0,
      y: 0,
      w: 6,
      h: 4,
      series: [{ type: "number", aggFn: "count", where: "", sourceId }],
    };
    return { id, name, tags: [], tiles: [tile] };
  }

  #alert(own: Data): Data {
    return {
      id: this.ids.old(),
      name: "Of the team",
      message: "by hand",
      threshold: 77,
      interval: "5m",
      thresholdType: "above",
      source: "search",
      ...(this.behaviour.dialect === "clickhouse" ? { savedSearch: savedSearchId } : {}),
      channel: { type: "webhook", webhookId: webhookIds[0] },
      createdAt: "2027-01-01T00:00:00.000Z",
      ...own,
    };
  }

  #key(name: string): Data {
    const keyId = `key${this.ids.object()}`;
    return {
      id: this.ids.uuid(),
      name,
      roles: ["developer"],
      state: "enabled",
      expireAt: null,
      keyId,
      keySecret: this.ids.secret(),
      keySuffix: keyId.slice(-4),
      createdAt: "2027-01-01T00:00:00.000Z",
    };
  }
}
