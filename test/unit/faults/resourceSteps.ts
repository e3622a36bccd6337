import { isDeepStrictEqual } from "node:util";
import { trackingOf } from "../../../provider/lifecycle/state";
import { resources, type TypeName, typeNames } from "../../../provider/resources/registry";
import type { Data } from "../../../provider/values/data";
import { sha256 } from "../../../sandbox/core/identifiers";
import type { Fault } from "../../../sandbox/index";
import { Declared } from "../drift/fixture";
import { addAlert } from "../resources/alert.example";
import type { Creatable } from "../resources/example";
import { examples } from "../resources/examples";
import { furnish } from "./furnish";
import type { Service } from "./service";
import type { Run, Setup, Step } from "./step";

/** A self-hosted server. */
const observability: Setup = {
  options: { apis: "observability" },
  settings: {},
};

/** The product, whose scaling has more to it. */
export const product: Setup = { options: { dialect: "clickhouse" }, settings: { dialect: "clickhouse" } };

/** The steps of every type: its life, and for those that are created what follows a lost answer to that. */
export const resourceSteps: readonly Step[] = [
  ...typeNames.flatMap((type) => [...lifeOf(type), ...stepsOfCreated(type, examples[type].creatable)]),
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
    {
      table: type,
      name: "create, answer lost",
      after: lost,
      // The secret is lost with the answer, so that the key is named and not taken.
      endsInError: type === "ApiKey",
      begin: (service) => creation(service, type),
    },
    { table: type, name: "adopt", begin: (service) => adoption(service, type, creatable) },
    // Where an object is not shown by itself, there is no other way to look.
    ...(resources[type].operations.get
      ? [
          {
            table: type,
            name: "read, no list",
            after: { kind: "404-gateway", operation: creatable.list },
            begin: (service) => reading(service, type),
          } satisfies Step,
        ]
      : []),
  ];
}

async function creation(service: Service, type: TypeName): Promise<Run> {
  furnish(service);
  const [program] = examples[type].programs(service);
  return new Life(service, new Declared(type, program), program, up(service));
}

async function adoption(service: Service, type: TypeName, { id, add }: Creatable): Promise<Run> {
  furnish(service);
  add(service, id);
  const [program] = examples[type].programs(service);
  return new Life(service, new Declared(type, { ...program, adoptId: id }), program, up(service), id);
}

async function applied(service: Service, type: TypeName): Promise<Declared> {
  furnish(service);
  const declared = new Declared(type, examples[type].programs(service)[0]);
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
    else if (found !== "unseen" && found.length > 0) return [`the refresh finds ${found}`];
    return [];
  });
}

async function updating(service: Service, type: TypeName): Promise<Run> {
  const before = await applied(service, type);
  const [, program] = examples[type].programs(service);
  const { id, state, inputs } = before;
  const declared = Object.assign(new Declared(type, program), { id, state, inputs });
  return new Life(service, declared, program, up(service));
}

async function deletion(service: Service, type: TypeName): Promise<Run> {
  furnish(service);
  const declared = new Declared(type, examples[type].programs(service)[0]);
  await declared.up(service.session());
  // Reads may lag behind a creation; whatever shows nothing of a new object is not believed.
  await new Promise((resolve) => setTimeout(resolve, 180_000));
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
  /** What the state had lost, and the user has adopted. */
  #adopted: string | undefined;
  readonly description: string;

  /** @param expected what the service has in the end; undefined for nothing */
  constructor(
    private readonly service: Service,
    private declared: Declared,
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
    const { service } = this;
    const session = service.session();
    if (this.declared.id && (await this.declared.refresh(session)) === "gone") forget(this.declared);
    this.#adoptStray();
    const { declared } = this;
    await declared.up(session);
    this.#keepSecret();
    this.#leftToDo = (await declared.up(session)).map(({ path }) => `another up changes ${path}`);
  };

  strays(): string[] {
    return this.service.added.filter((id) => id !== this.#id || id === this.#adopted);
  }

  /** What the user has to do where the service refuses a second object: the matrix asks whether a message named it. */
  #adoptStray(): void {
    const { id, type, program } = this.declared;
    const [stray] = this.strays();
    if (id || program.adoptId || stray === undefined || !examples[type].creatable?.hasUniqueName) return;
    this.declared = new Declared(type, { ...program, adoptId: stray });
    this.#adopted = stray;
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
    const { previous } = trackingOf(declared.state);
    // A record without a mode is that of a service that scales vertically, as its answers say.
    const original = { autoscalingMode: "vertical", ...service.original };
    const isRestored = isDeepStrictEqual({ ...original, ...previous }, original);
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
    const { id, type } = this.declared;
    return examples[type].creatable ? id : String(this.#stored()?.id ?? "");
  }

  /** The object as the service has it, in the vocabulary of the program. */
  #record(): Data | undefined {
    const stored = this.#stored();
    const { asDeclared } = examples[this.declared.type];
    return stored && asDeclared ? asDeclared(stored) : stored;
  }

  #stored(): Data | undefined {
    const { id, type } = this.declared;
    const { sandbox } = this.service;
    const { creatable, find } = examples[type];
    return find(sandbox, creatable ? id : sandbox.credentials.serviceId) as Data | undefined;
  }
}
