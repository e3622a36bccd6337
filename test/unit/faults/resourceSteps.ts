import { resources, type TypeName } from "../../../provider/resources/registry";
import type { Fault, OperationName } from "../../../sandbox/index";
import type { Kept, Run } from "../../promises/account";
import { judgedTypes } from "../../promises/kinds";
import type { Seen } from "../../promises/recorder";
import { Declared } from "../drift/fixture";
import { addAlert } from "../resources/alert.example";
import type { Creatable } from "../resources/example";
import { examples } from "../resources/examples";
import type { Service } from "./faultyService";
import { furnish } from "./furnish";
import type { Attempt, Setup, Step } from "./step";

const observability: Setup = { options: { apis: "observability" }, settings: {} };

export const product: Setup = { options: { dialect: "clickhouse" }, settings: { dialect: "clickhouse" } };

/**
 * The steps of the fault matrix for every resource type: create, read, update and delete, and for types that can be created
 * also a create with a lost answer.
 */
export const resourceSteps: readonly Step[] = [
  ...judgedTypes.flatMap((type) => stepsOf(type)),
  ...stepsOf("ServiceScaling", "ServiceScaling, memory of a replica", product),
  ...stepsOf("Alert", "Alert, with the observability API alone", observability),
  ...stepsOf("Dashboard", "Dashboard, with the observability API alone", observability),
];

function stepsOf(type: TypeName, table: string = type, setup?: Setup): Step[] {
  const { creatable } = examples[type];
  const [create, read]: [Beginning, Beginning] = [{ command: "up" }, { command: "refresh", isThere: true }];
  const step = (name: string, beginning: Beginning, more: Partial<Step> = {}): Step => ({
    ...{ table, setup, name, ...more },
    begin: (service) => begin(service, type, beginning),
  });
  const life = [
    step("create", create),
    step("read", read),
    step("update", { command: "up", isThere: true }),
    step("delete", { command: "destroy", isThere: true }),
  ];
  if (!creatable || setup) return life;
  const operations = resources[type].operations as { [step in "create" | "list" | "get"]: OperationName };
  const lost: Fault = { kind: "reset", when: "after", operation: operations.create, nth: 1 };
  const noList: Fault = { kind: "404-gateway", operation: operations.list };
  return [
    ...life,
    // The secret of an API key is lost with the answer to its create, so an error names the key, and the provider does not
    // adopt it.
    step("create, answer lost", create, { after: lost, endsInError: type === "ApiKey" }),
    step("adopt", { command: "up", adopts: creatable }),
    // This step of the fault matrix reads an object while the list of objects fails. It needs a route of the API to a single
    // object.
    ...(operations.get ? [step("read, no list", read, { after: noList })] : []),
  ];
}

type Command = "up" | "refresh" | "destroy";

interface Beginning {
  readonly command: Command;
  /** True if the stack has already created the object, so that the step of the fault matrix updates it. */
  readonly isThere?: true;
  /** How another person has created the object that the step of the fault matrix adopts. */
  readonly adopts?: Creatable;
}

async function begin(
  service: Service,
  type: TypeName,
  { command, isThere, adopts }: Beginning,
): Promise<Life> {
  furnish(service);
  adopts?.add(service, adopts.id);
  const [first, then] = examples[type].programs(service);
  const life = new Life(
    service,
    // The provider adopts an object without a write if the object is as declared. So the adopting program declares other values
    // than the object has.
    new Declared(type, adopts ? { ...(type === "ApiKey" ? first : then), adoptId: adopts.id } : first),
    command,
  );
  if (!isThere) return life;
  await life.apply();
  const { id, state, inputs } = life.declared;
  // The API's reads may lag behind a create. Until three minutes have passed, the provider does not conclude that a missing new
  // object is gone.
  if (command === "destroy") await new Promise((resolve) => setTimeout(resolve, 180_000));
  else addAlertOnTile(service, life.declared);
  if (command === "up") life.declared = Object.assign(new Declared(type, then), { id, state, inputs });
  return life;
}

/** Adds an alert on a tile to test the update of a dashboard: a tile that loses its id also loses its alerts. */
function addAlertOnTile({ sandbox, webhookId }: Service, { id }: Declared): void {
  const [{ id: tileId = "" } = {}] = sandbox.store.dashboards.get(id)?.tiles ?? [];
  if (tileId) addAlert(sandbox, webhookId, { id: "c".repeat(24), dashboard: id, tileId });
}

const name = "it";

/** Keeps the Pulumi state of one declared object while a step of the fault matrix runs. */
class Life implements Attempt {
  constructor(
    private readonly service: Service,
    public declared: Declared,
    private readonly command: Command,
  ) {}

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
      const refreshed = this.declared.id ? await this.#refresh() : {};
      this.#adoptStray();
      return { ...refreshed, ...(await this.#up()), differing: [] };
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
    const drift = await this.declared.refresh(this.service.session());
    if (drift === "gone") Object.assign(this.declared, { id: "", state: {}, inputs: {} });
    if (drift === "gone" && kept) return { gone: [{ name, kept }], differing: [name] };
    return { differing: typeof drift === "string" || drift.length === 0 ? [] : [name] };
  }

  async #destroy(): Promise<Partial<Seen>> {
    const { id, type } = this.declared;
    if (!id) return {};
    await this.declared.delete(this.service.session());
    Object.assign(this.declared, { id: "", state: {}, inputs: {} });
    return { operations: [{ name, type, op: "delete" }] };
  }

  /**
   * If the service refuses a second object of the same name, the test adopts the object whose creation was not answered, as the
   * error message tells the user to do.
   */
  #adoptStray(): void {
    const { id, type, program } = this.declared;
    const [stray] = this.service.added;
    if (id || program.adoptId || stray === undefined || !examples[type].creatable?.hasUniqueName) return;
    this.declared = new Declared(type, { ...program, adoptId: stray });
  }
}
