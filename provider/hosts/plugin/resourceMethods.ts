import {
  CheckFailure,
  type CheckRequest,
  CheckResponse,
  type CreateRequest,
  CreateResponse,
  type DeleteRequest,
  type DiffRequest,
  DiffResponse,
  PropertyDiff,
  type ReadRequest,
  ReadResponse,
  type UpdateRequest,
  UpdateResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { mustBeData, pathsBeyondData, sizeFailures } from "../../engine/engineValues";
import { nameIn } from "../../engine/names";
import { deleteUnlessDeclared } from "../../lifecycle/delete";
import { warnOfKept } from "../../lifecycle/dropped";
import { importObject } from "../../lifecycle/read";
import { type Resource, updateAsFarAsPossible } from "../../lifecycle/resource";
import type { Session } from "../../lifecycle/session";
import { declaresNothing, type State } from "../../lifecycle/state";
import { type Change, pathOf } from "../../values/compare";
import type { PropertyMap } from "../../values/data";
import { isIgnored, withIgnored } from "../../values/ignored";
import { printableMessage } from "../../values/printable";
import { annotationsOf, schemaAt } from "../../values/schema";
import type { Failure } from "../../values/validate";
import { withTexts } from "../files";
import type { Claims, Declaration } from "../ownership/claims";
import { propertyOf, SecretTracker } from "../secrecy";
import { withAutomaticName } from "./autonaming";
import { DoneInPart } from "./errors";
import { withoutPythonNames } from "./pythonNames";
import type { Struct } from "./struct";
import { withTileReferences } from "./tileReferences";
import { newlySecret, placesIn, type Received, received, toStruct } from "./wireValues";

const kinds = {
  add: [PropertyDiff.Kind.ADD, PropertyDiff.Kind.ADD_REPLACE],
  update: [PropertyDiff.Kind.UPDATE, PropertyDiff.Kind.UPDATE_REPLACE],
  delete: [PropertyDiff.Kind.DELETE, PropertyDiff.Kind.DELETE_REPLACE],
} as const;

/** Serves the steps of one resource type (check, diff, create, …) with the messages of Pulumi's plugin protocol. */
export class ResourceMethods {
  readonly #secrecy: SecretTracker;

  constructor(
    private readonly resource: Resource,
    private readonly session: () => Session,
    private readonly claims: Claims,
  ) {
    this.#secrecy = new SecretTracker(resource, session);
  }

  /** The URNs of the resources whose inputs this process has checked. */
  readonly #declared = new Set<string>();

  async check(request: CheckRequest): Promise<CheckResponse> {
    this.#declared.add(request.getUrn());
    const olds = received(request.getOlds());
    const news = withoutPythonNames(this.resource.inputs, received(request.getNews()));
    const secrets = this.#secretsOf(news);
    const { data, failures: unread } = withTexts(this.resource.inputs, news.data);
    const { declared, failures: unnamed } = withAutomaticName(this.resource, request, olds, data);
    const { inputs, failures, warnings } = await this.resource.check(olds.data, declared, this.session());
    const rivals = this.claims.declare(
      this.resource,
      inputs,
      declarationOf(request.getUrn()),
      this.session(),
    );
    for (const warning of warnings) this.session().warnOnce(warning);
    const beyondData = pathsBeyondData(data).map((path) => ({ path, message: mustBeData }));
    const refusals = [...this.#secrecy.refusals(news.secrets), ...sizeFailures(inputs)];
    return new CheckResponse()
      .setInputs(toStruct(inputs, secrets))
      .setFailuresList(
        [...refusals, ...beyondData, ...unread, ...unnamed, ...failures, ...rivals].map((failure) =>
          this.#checkFailure(failure, news),
        ),
      );
  }

  async diff(request: DiffRequest): Promise<DiffResponse> {
    // After an import, the inputs do not name the object, and only the state does. So diff notes that this resource manages it.
    const session = this.session();
    const [olds, news] = [received(request.getOlds()), received(request.getNews())];
    const declaration = declarationOf(request.getUrn());
    this.claims.hold(this.resource, request.getId(), declaration, olds.data, session);
    // An engine that refreshes before an update calls diff before check, so diff, too, hides the properties' secrets.
    for (const properties of [olds, news]) this.#secretsOf(properties);
    if (this.#declared.has(request.getUrn())) {
      this.claims.keep(this.resource, request.getId(), news.data, session, declaration);
    }
    const differing = await this.resource.diff(request.getId(), olds.data, news.data, session);
    if (this.#declared.has(request.getUrn()))
      warnOfKept(this.resource, request.getId(), olds.data, news.data, differing, session);
    // Newly marked secrets count as changes: if diff reported no difference, the Pulumi state would not encrypt them.
    const isKept = differing.length === 0;
    const differences = isKept ? newlySecret(olds, news).map(secretUpdate) : differing;
    // In a refresh the engine passes all inputs to diff, and leaves it to the provider to skip those of `ignoreChanges`.
    const changes = differences.filter(({ path }) => !isIgnored(path, request.getIgnorechangesList()));
    const replaces = changes.filter((change) => change.replaces).map(({ path }) => path);
    const response = new DiffResponse()
      .setChanges(
        changes.length > 0 ? DiffResponse.DiffChanges.DIFF_SOME : DiffResponse.DiffChanges.DIFF_NONE,
      )
      .setHasdetaileddiff(true)
      // The engine's summary of changes shows only top-level properties, so deeper paths are cut.
      .setDiffsList([...new Set(changes.map(({ path }) => propertyOf(path)))])
      .setReplacesList(replaces)
      .setDeletebeforereplace(
        replaces.length > 0 && this.resource.isDeletedFirst?.(olds.data, news.data) === true,
      )
      .setStablesList(this.#stableNames());
    for (const change of changes) response.getDetaileddiffMap().set(change.path, propertyDiff(change));
    return response;
  }

  async create(request: CreateRequest): Promise<CreateResponse> {
    const inputs = received(request.getProperties());
    const secrets = this.#secretsOf(inputs);
    if (request.getPreview()) {
      const planned = this.resource.plan(undefined, inputs.data, this.session());
      return new CreateResponse().setProperties(
        toStruct(withTileReferences(request.getUrn(), planned), secrets),
      );
    }
    const session = this.session();
    // If this create belongs to a replacement, the resource stops managing its old object.
    this.claims.release(declarationOf(request.getUrn()), session);
    const { id, state, failure } = await session.interruption.within(request.getTimeout(), () =>
      this.resource.create(inputs.data, session),
    );
    const properties = this.#stateOf(state, inputs.data, secrets);
    if (failure) throw new DoneInPart(id, properties, this.#looksFirst, failure);
    return new CreateResponse().setId(id).setProperties(properties).setRefreshBeforeUpdate(this.#looksFirst);
  }

  async read(request: ReadRequest): Promise<ReadResponse> {
    const state = received(request.getProperties());
    this.#secretsOf(state);
    const isKnown = !declaresNothing(this.resource, state.data);
    const live = await this.session().interruption.within(request.getTimeout(), () =>
      isKnown
        ? this.#refresh(request.getId(), state.data)
        : importObject(this.resource, request.getId(), state.data, this.session()),
    );
    if (live === "gone") {
      if (!isKnown) throw new Error(`${this.resource.type} ${request.getId()} does not exist in the service`);
      return new ReadResponse();
    }
    if (live === "unseen") {
      return new ReadResponse()
        .setId(request.getId())
        .setProperties(request.getProperties())
        .setInputs(request.getInputs())
        .setRefreshBeforeUpdate(this.#looksFirst);
    }
    // The engine reads an object for the option `import` before it deletes others, so the object counts as named by the program
    // and is not deleted. If the program only reads a resource (`get`), the request has inputs, and the object does not count
    // as named.
    if (!isKnown && !request.hasInputs())
      this.claims.name(this.resource, live.id, declarationOf(request.getUrn()), live.inputs, this.session());
    const before = [state, received(request.getInputs())];
    const secrets = before.flatMap((properties) =>
      placesIn(live.inputs, { ...properties, secrets: this.#secretsOf(properties) }),
    );
    return new ReadResponse()
      .setId(live.id)
      .setProperties(this.#stateOf(live.state, state.data, secrets))
      .setInputs(toStruct(live.inputs, secrets))
      .setRefreshBeforeUpdate(this.#looksFirst);
  }

  /** Whether the engine shall refresh the object before each further preview or update (the setting `refreshBeforeUpdate`). */
  get #looksFirst(): boolean {
    return this.session().settings.refreshBeforeUpdate;
  }

  async #refresh(id: string, state: State) {
    const live = await this.resource.read(id, state, this.session());
    return typeof live === "string" ? live : { ...live, id };
  }

  async update(request: UpdateRequest): Promise<UpdateResponse> {
    const olds = received(request.getOlds());
    const news = received(request.getNews());
    // A secret that the program no longer declares stays encrypted, since the service may still have it.
    const dropped = olds.secrets.filter(([name = ""]) => !(name in news.data)).map(([name = ""]) => [name]);
    this.#secretsOf(olds);
    const secrets = [...this.#secretsOf(news), ...dropped];
    const session = this.session();
    const id = request.getId();
    const { inputs, state, failure } = request.getPreview()
      ? {
          inputs: news.data,
          state: withTileReferences(request.getUrn(), this.resource.plan(olds.data, news.data, session, id)),
          failure: undefined,
        }
      : await session.interruption.within(request.getTimeout(), async () => {
          const inputs = await this.#withIgnored(request, olds.data, news.data);
          return { inputs, ...(await updateAsFarAsPossible(this.resource, id, olds.data, inputs, session)) };
        });
    const places = placesIn(inputs, { ...news, secrets });
    const properties = this.#stateOf(state, inputs, places);
    if (failure) throw new DoneInPart(id, properties, this.#looksFirst, failure);
    return new UpdateResponse().setProperties(properties).setRefreshBeforeUpdate(this.#looksFirst);
  }

  /** For `ignoreChanges`, the engine fills in the state's value; the service's own value, which must stay, is sent instead. */
  async #withIgnored(request: UpdateRequest, state: State, inputs: PropertyMap): Promise<PropertyMap> {
    const ignored = request.getIgnorechangesList();
    if (ignored.length === 0) return inputs;
    const live = await this.resource.read(request.getId(), state, this.session());
    if (typeof live === "string") return inputs;
    const withIds = (values: PropertyMap, reference: State) =>
      this.resource.pair?.(values, reference) ?? values;
    return withIgnored(this.resource.inputs, inputs, live.inputs, ignored, {
      inputs: withIds(inputs, state),
      live: withIds(live.inputs, live.state),
    });
  }

  async delete(request: DeleteRequest): Promise<void> {
    const state = received(request.getProperties());
    const { data } = state;
    this.#secretsOf(state);
    const session = this.session();
    const declaration = declarationOf(request.getUrn());
    const isClaimed = this.claims.isClaimed(
      this.resource,
      request.getId(),
      data,
      declaration.identity,
      !this.#declared.has(request.getUrn()),
    );
    this.claims.release(declaration, session);
    await session.interruption.within(request.getTimeout(), () =>
      deleteUnlessDeclared(this.resource, request.getId(), data, session, isClaimed),
    );
  }

  /**
   * The engine prints the value of the property that a failure names, or "<nil>" for a nested property. So a failure of a
   * secret or nested property names the property only in its text.
   */
  #checkFailure(failure: Failure, { secrets }: Received): CheckFailure {
    const { path, message, hint = "" } = failure;
    if (path !== propertyOf(path) || this.#secrecy.isSecret(path, secrets))
      return new CheckFailure().setReason(this.#secrecy.sentenceOf(failure, secrets));
    const reason = printableMessage(this.session().secrets.hide(`${message}${hint}`));
    return new CheckFailure().setProperty(path).setReason(reason);
  }

  /** The places of secrets in a resource's properties. From then on, no message shows their values. */
  #secretsOf({ data, secrets }: Received): Received["secrets"] {
    return this.#secrecy.conceal(data, secrets);
  }

  #stateOf(state: State, before: PropertyMap, secrets: Received["secrets"]): Struct {
    const further = this.#secrecy.furtherSecrets(state, before, secrets).map((name) => [name]);
    return toStruct(state, [...secrets, ...further]);
  }

  /** The names of outputs that no update changes, so that the engine knows their values in previews. */
  #stableNames(): string[] {
    const { outputs } = this.resource;
    return Object.keys(outputs.properties).filter((name) => !annotationsOf(schemaAt(outputs, name)).volatile);
  }
}

function declarationOf(urn: string): Declaration {
  return { identity: urn, name: nameIn(urn) };
}

function secretUpdate(keys: readonly (string | number)[]): Change {
  return { path: pathOf(keys), kind: "update", replaces: false };
}

function propertyDiff({ kind, replaces }: Change): PropertyDiff {
  // The compared values are the old and the new inputs, so the engine is told that the path is one of an input.
  return new PropertyDiff().setKind(kinds[kind][replaces ? 1 : 0]).setInputdiff(true);
}
