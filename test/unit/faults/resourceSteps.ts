import { resources, type TypeName, typeNames } from "../../../provider/resources/registry";
import type { Fault } from "../../../sandbox/index";
import type { Kept, Run } from "../../promises/account";
import type { Seen } from "../../promises/recorder";
import { Declared } from "../drift/fixture";
import { addAlert } from "../resources/alert.example";
import type { Creatable } from "../resources/example";
import { examples } from "../resources/examples";
import { furnish } from "./furnish";
import type { Service } from "./service";
import type { Attempt, Setup, Step } from "./step";

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

async function creation(service: Service, type: TypeName): Promise<Life> {
  furnish(service);
  const [program] = examples[type].programs(service);
  return new Life(service, new Declared(type, program), "up");
}

async function adoption(service: Service, type: TypeName, { id, add }: Creatable): Promise<Life> {
  furnish(service);
  add(service, id);
  const [program] = examples[type].programs(service);
  return new Life(service, new Declared(type, { ...program, adoptId: id }), "up");
}

async function applied(service: Service, type: TypeName, command: Command): Promise<Life> {
  furnish(service);
  const life = new Life(service, new Declared(type, examples[type].programs(service)[0]), command);
  await life.apply();
  return life;
}

async function reading(service: Service, type: TypeName): Promise<Life> {
  const life = await applied(service, type, "refresh");
  addAlertOnTile(service, life.declared);
  return life;
}

async function updating(service: Service, type: TypeName): Promise<Life> {
  const life = await applied(service, type, "up");
  addAlertOnTile(service, life.declared);
  const { id, state, inputs } = life.declared;
  const [, program] = examples[type].programs(service);
  life.declared = Object.assign(new Declared(type, program), { id, state, inputs });
  return life;
}

async function deletion(service: Service, type: TypeName): Promise<Life> {
  const life = await applied(service, type, "destroy");
  // Reads may lag behind a creation; whatever shows nothing of a new object is not believed.
  await new Promise((resolve) => setTimeout(resolve, 180_000));
  return life;
}

/** A tile that loses its id takes its alerts along. */
function addAlertOnTile({ sandbox, webhookId }: Service, { id }: Declared): void {
  const [{ id: tileId = "" } = {}] = sandbox.store.dashboards.get(id)?.tiles ?? [];
  if (tileId) addAlert(sandbox, webhookId, { id: "c".repeat(24), dashboard: id, tileId });
}

type Command = "up" | "refresh" | "destroy";

const name = "it";

/** A declared object on its way through a step. */
class Life implements Attempt {
  constructor(
    private readonly service: Service,
    public declared: Declared,
    private readonly command: Command,
  ) {}

  /** Brings the object about before the step. */
  async apply(): Promise<void> {
    this.service.remember();
    const { outcome } = await this.#perform("up", 0, () => this.#up());
    if (outcome.errors.length > 0) throw new Error(outcome.errors.join());
  }

  run(): Promise<Run> {
    const steps = { up: () => this.#up(), refresh: () => this.#refresh(), destroy: () => this.#destroy() };
    this.service.remember();
    return this.#perform(this.command, 1, steps[this.command]);
  }

  async again(): Promise<void> {
    if (this.command === "destroy") {
      await this.#perform("destroy", -10, () => this.#destroy());
      await this.#perform("drift", -15, async () => ({ differing: this.declared.id ? [name] : [] }));
      return;
    }
    await this.#perform("up --refresh", -10, async () => {
      const found = this.declared.id ? await this.#refresh() : {};
      this.#adoptStray();
      return { ...found, ...(await this.#up()), differing: [] };
    });
    await this.#perform("drift", -15, async () => ({
      differing: (await this.declared.up(this.service.session())).map(({ path }) => `${path} of it`),
    }));
  }

  #perform(command: Run["step"]["command"], number: number, act: () => Promise<Partial<Seen>>): Promise<Run> {
    return this.service.perform(command, number, act, () => {
      const { type, program } = this.declared;
      const kept = this.#kept();
      return {
        program: new Map(this.command === "destroy" && number !== 0 ? [] : [[name, { type, args: program }]]),
        after: new Map(kept ? [[name, kept]] : []),
      };
    });
  }

  #kept(): Kept | undefined {
    const { id, type, inputs, state } = this.declared;
    return id ? { type, id, inputs, outputs: state } : undefined;
  }

  async #up(): Promise<Partial<Seen>> {
    const op = this.declared.id ? "update" : "create";
    await this.declared.up(this.service.session());
    return { operations: [{ name, type: this.declared.type, op }] };
  }

  async #refresh(): Promise<Partial<Seen>> {
    const kept = this.#kept();
    const found = await this.declared.refresh(this.service.session());
    if (found === "gone") Object.assign(this.declared, { id: "", state: {}, inputs: {} });
    if (found === "gone" && kept) return { gone: [{ name, kept }], differing: [name] };
    return { differing: typeof found === "string" || found.length === 0 ? [] : [name] };
  }

  async #destroy(): Promise<Partial<Seen>> {
    const { id, type } = this.declared;
    if (!id) return {};
    await this.declared.delete(this.service.session());
    Object.assign(this.declared, { id: "", state: {}, inputs: {} });
    return { operations: [{ name, type, op: "delete" }] };
  }

  /** What the user has to do where the service refuses a second object: a message has named it. */
  #adoptStray(): void {
    const { id, type, program } = this.declared;
    const [stray] = this.service.added;
    if (id || program.adoptId || stray === undefined || !examples[type].creatable?.hasUniqueName) return;
    this.declared = new Declared(type, { ...program, adoptId: stray });
  }
}
