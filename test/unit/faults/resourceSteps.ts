import { isDeepStrictEqual } from "node:util";
import type { Data } from "../../../provider/lifecycle/data";
import { trackingOf } from "../../../provider/lifecycle/state";
import { type TypeName, typeNames } from "../../../provider/resources/registry";
import type { Fault, OperationName } from "../../../sandbox/src";
import { sha256 } from "../../../sandbox/src/identifiers";
import { Declared } from "../drift/fixture";
import { addAlert, addDashboard, addKey, alertContents, furnish, type Service, tile } from "./service";
import type { Run, Setup, Step } from "./step";

/** What a program declares of each type, before and after it is changed. */
export const programs: { readonly [type in TypeName]: (service: Service) => readonly [Data, Data] } = {
  ServiceScaling: ({ settings }) => {
    if (settings.dialect === "clickhouse") {
      const memory = { minReplicaMemoryGb: 16, maxReplicaMemoryGb: 32, onDestroy: "restore" };
      return [memory, { ...memory, maxReplicaMemoryGb: 64 }];
    }
    const scaling = { idleScaling: false, idleTimeoutMinutes: 15, onDestroy: "restore" };
    return [
      { ...scaling, numReplicas: 4 },
      { ...scaling, numReplicas: 6 },
    ];
  },
  ApiKey: () => [
    { name: "reporting", roles: ["developer"] },
    { name: "reporting", roles: ["admin"] },
  ],
  QueryEndpoint: ({ sandbox }) => {
    const openApiKeys = [...sandbox.store.keys.keys()].slice(0, 1);
    const endpoint = { roles: ["sql_console_admin"], openApiKeys };
    return [
      { ...endpoint, allowedOrigins: "https://a.example.com" },
      { ...endpoint, allowedOrigins: "https://b.example.com" },
    ];
  },
  Alert: ({ webhookId }) => {
    const alert = alertContents(webhookId);
    return [alert, { ...alert, threshold: 2 }];
  },
  Dashboard: () => [
    { name: "Ingestion", tags: ["a"], tiles: [tile] },
    {
      name: "Ingestion",
      tags: ["a"],
      tiles: [
        { ...tile, x: 12 },
        { ...tile, name: "Rows" },
      ],
    },
  ],
};

/** What is created under an id that the service gives: the operations, and one that somebody else has created. */
const created: { readonly [type in TypeName]?: Creatable } = {
  ApiKey: {
    operation: "createKey",
    list: "listKeys",
    id: "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbb1",
    add: ({ sandbox }, id) => addKey(sandbox, { id, roles: ["admin"] }),
  },
  Alert: {
    operation: "createAlert",
    list: "listAlerts",
    id: "bbbbbbbbbbbbbbbbbbbbbbb2",
    add: ({ sandbox, webhookId }, id) => addAlert(sandbox, webhookId, { id, threshold: 50 }),
  },
  Dashboard: {
    operation: "createDashboard",
    list: "listDashboards",
    id: "bbbbbbbbbbbbbbbbbbbbbbb3",
    add: ({ sandbox }, id) => addDashboard(sandbox, { id, name: "Old" }),
  },
};

interface Creatable {
  readonly operation: OperationName;
  readonly list: OperationName;
  readonly id: string;
  add(service: Service, id: string): void;
}

/** A server that one hosts oneself. */
const observability: Setup = {
  options: { apis: "observability" },
  settings: {},
};

/** The product, whose scaling has more to it. */
const product: Setup = { options: { dialect: "clickhouse" }, settings: { dialect: "clickhouse" } };

/** The steps of every type: its life, and for those that are created what follows a lost answer to that. */
export const resourceSteps: readonly Step[] = [
  ...typeNames.flatMap((type) => [...lifeOf(type), ...stepsOfCreated(type, created[type])]),
  ...lifeOf("ServiceScaling", "ServiceScaling, memory of a replica", product),
  ...lifeOf("Alert", "Alert, with the observability API alone", observability),
  ...lifeOf("Dashboard", "Dashboard, with the observability API alone", observability),
];

function lifeOf(type: TypeName, table: string = type, setup?: Setup): Step[] {
  return [
    { table, setup, name: "create", begin: (service) => creation(service, type) },
    { table, setup, name: "read", begin: (service) => reading(service, type) },
    { table, setup, name: "update", begin: (service) => updating(service, type) },
    { table, setup, name: "delete", begin: (service) => deletion(service, type) },
  ];
}

function stepsOfCreated(type: TypeName, creatable: Creatable | undefined): Step[] {
  if (!creatable) return [];
  const lost: Fault = { kind: "reset", when: "after", operation: creatable.operation, nth: 1 };
  return [
    { table: type, name: "create, answer lost", after: lost, begin: (service) => creation(service, type) },
    { table: type, name: "adopt", begin: (service) => adoption(service, type, creatable) },
    {
      table: type,
      name: "read, no list",
      after: { kind: "404-gateway", operation: creatable.list },
      begin: (service) => reading(service, type),
    },
  ];
}

async function creation(service: Service, type: TypeName): Promise<Run> {
  furnish(service);
  const [program] = programs[type](service);
  return new Life(service, new Declared(type, program), program, up(service));
}

async function adoption(service: Service, type: TypeName, { id, add }: Creatable): Promise<Run> {
  furnish(service);
  add(service, id);
  const [program] = programs[type](service);
  return new Life(service, new Declared(type, { ...program, adoptId: id }), program, up(service), id);
}

async function applied(service: Service, type: TypeName): Promise<Declared> {
  furnish(service);
  const declared = new Declared(type, programs[type](service)[0]);
  await declared.up(service.session());
  // A tile that loses its id takes its alerts along.
  const [{ id: tileId = "" } = {}] = service.sandbox.store.dashboards.get(declared.id)?.tiles ?? [];
  if (tileId)
    addAlert(service.sandbox, service.webhookId, { id: "c".repeat(24), dashboard: declared.id, tileId });
  return declared;
}

async function reading(service: Service, type: TypeName): Promise<Run> {
  const declared = await applied(service, type);
  return new Life(service, declared, declared.program, async () => {
    const found = await declared.refresh(service.session());
    if (found === "gone") forget(declared);
    else if (found === "unseen" || found.length > 0) return [`the refresh finds ${found || "nothing"}`];
    return [];
  });
}

async function updating(service: Service, type: TypeName): Promise<Run> {
  const before = await applied(service, type);
  const [, program] = programs[type](service);
  const { id, state, inputs } = before;
  const declared = Object.assign(new Declared(type, program), { id, state, inputs });
  return new Life(service, declared, program, up(service));
}

async function deletion(service: Service, type: TypeName): Promise<Run> {
  furnish(service);
  const declared = new Declared(type, programs[type](service)[0]);
  await declared.up(service.session());
  const remove = async () => {
    await declared.delete(service.session());
    forget(declared);
    return [];
  };
  const restored = type === "ServiceScaling" ? { ...service.original } : undefined;
  const life = new Life(service, declared, restored, remove);
  life.again = async () => {
    if (declared.id) await remove();
  };
  return life;
}

function up(service: Service) {
  return async (declared: Declared) => {
    await declared.up(service.session());
    return [];
  };
}

function forget(declared: Declared): void {
  Object.assign(declared, { id: "", state: {}, inputs: {} });
}

/** A declared object on its way through a step. */
class Life implements Run {
  /** Secrets of the keys that were there at some time. */
  readonly #secrets = new Set<string>();
  #leftToDo: readonly string[] = [];
  readonly description: string;

  /** @param expected what the service has in the end; undefined for nothing */
  constructor(
    private readonly service: Service,
    private readonly declared: Declared,
    private readonly expected: Data | undefined,
    private readonly run: (declared: Declared) => Promise<string[]>,
    own?: string,
  ) {
    service.remember(own ?? this.#id);
    this.description = `named ${JSON.stringify(declared.program.name)}`;
  }

  async attempt(): Promise<string[]> {
    try {
      return await this.run(this.declared);
    } finally {
      this.#keepSecret();
    }
  }

  again = async (): Promise<void> => {
    const { declared, service } = this;
    const session = service.session();
    if (declared.id && (await declared.refresh(session)) === "gone") forget(declared);
    await declared.up(session);
    this.#keepSecret();
    this.#leftToDo = (await declared.up(session)).map(({ path }) => `another up changes ${path}`);
  };

  strays(): string[] {
    return this.service.added.filter((id) => id !== this.#id);
  }

  problems(): string[] {
    const { declared, expected, service } = this;
    const changed = service.changedOthers().map((id) => `${id} of somebody else is changed`);
    const record = this.#record();
    if (!expected) return [...changed, ...(record ? ["it is still there"] : [])];
    if (!record) return [...changed, "it is not there"];
    const wrong = Object.keys(expected).filter((name) => !isDeepStrictEqual(record[name], expected[name]));
    const problems = [
      ...changed,
      ...this.#leftToDo,
      ...wrong.map((name) => `${name} is ${JSON.stringify(record[name])}`),
    ];
    if (declared.type === "ApiKey" && !declared.program.adoptId) {
      if (sha256(String(declared.state.keySecret)) !== record.keySecretHash)
        problems.push("its secret is lost");
    }
    const { previous } = trackingOf(declared.resource, declared.state);
    const isRestored = isDeepStrictEqual({ ...service.original, ...previous }, service.original);
    if (!isRestored) problems.push(`it would be restored to ${JSON.stringify(previous)}`);
    return problems;
  }

  secrets(): string[] {
    return [...this.#secrets];
  }

  #keepSecret(): void {
    const { keySecret } = this.declared.state;
    if (typeof keySecret === "string") this.#secrets.add(keySecret);
  }

  /** Under which id the service has it: that in state, but for what a service has only one of. */
  get #id(): string {
    const { declared, service } = this;
    const { serviceId } = service.sandbox.credentials;
    if (declared.type === "ServiceScaling") return serviceId;
    if (declared.type === "QueryEndpoint") return service.sandbox.store.queryEndpointOf(serviceId)?.id ?? "";
    return declared.id;
  }

  /** The object as the service has it, in the words of the program. */
  #record(): Data | undefined {
    const { declared, service } = this;
    const { store } = service.sandbox;
    const id = this.#id;
    if (declared.type === "ServiceScaling") return { ...store.services.get(id), onDestroy: "restore" };
    if (declared.type === "QueryEndpoint") return store.queryEndpoints.get(id) as Data | undefined;
    if (declared.type === "ApiKey") return store.keys.get(id) as Data | undefined;
    if (declared.type === "Alert") {
      const alert = store.alerts.get(id);
      return alert && { ...alert, dashboardId: alert.dashboard };
    }
    const dashboard = store.dashboards.get(id);
    return dashboard && { ...dashboard, tiles: dashboard.tiles.map(({ id: _, ...own }) => own) };
  }
}
