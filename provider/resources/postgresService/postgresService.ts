import { RefusedRequest } from "../../api/errors";
import { decode } from "../../lifecycle/decode";
import type { CreatedObject, Creating } from "../../lifecycle/definition";
import { refuseDuplicate } from "../../lifecycle/duplicates";
import { resourceOf } from "../../lifecycle/lifecycle";
import type { Resource } from "../../lifecycle/resource";
import { contextOf } from "../../lifecycle/scope";
import { declaredIn, declaresNothing, isSeen, sentPart, trackingOf } from "../../lifecycle/state";
import { apply, type Step } from "../../lifecycle/steps";
import { Unfinished } from "../../lifecycle/unfinished";
import { completed, minutesFor } from "../../lifecycle/waiting";
import { equal, shows } from "../../values/compare";
import { isObject, type PropertyMap, pick } from "../../values/data";
import { schemaAt } from "../../values/schema";
import { unknown } from "../../values/unknown";
import { isRotated } from "../access/generatedPassword";
import { warnOfOpen } from "../access/openAddresses";
import {
  entriesIn,
  otherAddressesOf,
  ownEntries,
  ownsAllAddresses,
  withOwnAddresses,
} from "../access/ownedLists";
import { warnOfQuota } from "../access/quotas";
import { Protection, titleOf, warnOfLoss } from "../protection/protection";
import { postgresServiceInputs, postgresServiceOutputs } from "./postgresInputs";
import { postgresFailures, postgresWarnings } from "./postgresRules";
import { failed, type PostgresDefinition, postgresWaiting } from "./postgresStates";
import { configNames, declaredRules, readConfig, sentParameters, stepsOf } from "./postgresSteps";

const schemas = { inputs: postgresServiceInputs, outputs: postgresServiceOutputs };

const protection = new Protection({ type: "PostgresService", noun: "Postgres service", ...schemas }, [
  ...["creating", "restoring_backup", "replaying_wal", "finalizing_restore"],
]);

/** Milliseconds until a request is sent again that the service refuses for a while. */
const betweenTries = 15_000;

const toGetPassword = "declare password, or change passwordKeepers to have one made";

export const postgresServiceResource: Resource = resourceOf({
  type: "PostgresService",
  noun: "Postgres service",
  ...schemas,
  scope: "organization",
  dialect: "clickhouse",
  isNoOrphan: true,
  operations: {
    create: "createPostgresService",
    list: "listPostgresServices",
    get: "getPostgresService",
    update: "updatePostgresService",
    delete: "deletePostgresService",
  },
  calls: [
    ...(["createPostgresReplica", "restorePostgresService", "updatePostgresState"] as const),
    ...(["updatePostgresPassword", "getPostgresConfig"] as const),
    ...(["updatePostgresConfig", "replacePostgresConfig"] as const),
  ],
  namedBy: "name",
  // Lists lack the host, so every read asks for the service itself.
  completenessField: "hostname",
  waiting: postgresWaiting,

  failures: (declared, olds) => postgresFailures(declared, olds),
  warnings: (declared, _settings, olds) => postgresWarnings(declared, olds),

  encode: (body, _settings, current) => (current ? body : creationOf(body)),

  decode: ({ ipAccessList, ...answer }) =>
    Array.isArray(ipAccessList) ? { ...answer, ipAccessList: declaredRules(ipAccessList) } : answer,

  formOf(live, declared, _reference, former = {}) {
    const { ipAccessList, tags, pgConfig, pgBouncerConfig, password, ...others } = live;
    const all = { pgConfig, pgBouncerConfig };
    return {
      ...others,
      ...otherAddressesOf(schemas, live, declared, former),
      ...(Array.isArray(ipAccessList) && {
        ipAccessList: ownsAllAddresses(declared)
          ? ipAccessList
          : ownEntries(schemas, "ipAccessList", live, declared, former),
      }),
      ...(Array.isArray(tags) && { tags: ownEntries(schemas, "tags", live, declared, former) }),
      ...Object.fromEntries(configNames.flatMap((name) => ownParameters(name, all[name], declared))),
      ...(typeof password === "string" && declared.password === undefined && { generatedPassword: password }),
    };
  },

  isLike: (object, body) => {
    const { inputs } = decode(postgresServiceResource, object);
    return shows(postgresServiceInputs, pick(body, ["name", "provider", "region", "size"]), inputs);
  },

  declaration({ pgConfig, pgBouncerConfig, ...members }, _outputs, leaveOut) {
    const tags = entriesIn(members, "tags");
    // A create may give a tag no value, which no update takes. So a program cannot declare one, and does not own it.
    const valued = tags.filter(({ value }) => typeof value === "string" && value !== "");
    for (const tag of tags) if (!valued.includes(tag)) leaveOut(`tags[${JSON.stringify(tag.key)}]`);
    return {
      ...members,
      ...("tags" in members && { tags: valued }),
      ...Object.fromEntries(
        Object.entries({ pgConfig, pgBouncerConfig }).filter(
          ([, map]) => isObject(map) && Object.keys(map).length > 0,
        ),
      ),
    };
  },

  refineChange: (change) =>
    // Without the line, an update promotes the replica; and a program may say of what an imported one is a replica.
    change.path === "readReplicaOf" && change.kind !== "update" ? { ...change, replaces: false } : change,

  creation: (creating, usual) => createPostgres(creating, usual),

  async look(look, usual) {
    const observed = await usual(look);
    if (!isSeen(observed)) return observed;
    const declared = declaredIn(schemas, look.state);
    const isAsked =
      look.moment === "afterWrite" ||
      declaresNothing(schemas, look.state) ||
      configNames.some((name) => name in declared);
    return isAsked ? { ...observed, ...(await readConfig(look.id, look.context)) } : observed;
  },

  steps: (aim) => stepsOf(postgresServiceResource as PostgresDefinition, aim),

  around: {
    async check(usual, olds, news, session) {
      const checked = await usual(olds, news, session);
      await warnOfQuota(
        "postgres-services-per-organization",
        postgresServiceResource,
        olds,
        checked,
        session,
      );
      return checked;
    },

    async diff(usual, id, state, inputs, session) {
      const changes = [...(await usual(id, state, inputs, session))];
      const { scope } = contextOf(postgresServiceResource, state, session);
      const shownState = () =>
        session.lists.find("listPostgresServices", scope, id).then(
          (live) => live && String(live.state),
          () => "unknown",
        );
      const guarded = await protection.guard(changes, inputs, { id, state, shownState }, session);
      if (guarded.some(({ replaces }) => replaces)) return guarded;
      const title = titleOf(postgresServiceResource, id, state);
      warnOfOpen(postgresServiceResource, title, state, inputs, session);
      const changed = (name: string) => guarded.find(({ path }) => path === name);
      if (changed("name") && state.hostname !== undefined)
        session.warnOnce(
          `name: the change gives ${title} another hostname and other certificates; clients that use ${state.hostname} lose it`,
        );
      if (changed("readReplicaOf")?.kind === "delete" && state.isPrimary === false)
        session.warnOnce(
          `readReplicaOf: without it, the update promotes ${title} to a service of its own, which no update reverses`,
        );
      return guarded;
    },

    plan(usual, state, inputs, session, id) {
      const planned = usual(state, inputs, session, id);
      if (!state) return planned;
      const changes = (name: "name" | "readReplicaOf") =>
        !equal(schemaAt(postgresServiceInputs, name), state[name], inputs[name]);
      return {
        ...planned,
        ...(changes("name") && { hostname: unknown }),
        ...(changes("readReplicaOf") && { isPrimary: unknown }),
        ...(isRotated(inputs, state) && inputs.password === undefined && { generatedPassword: unknown }),
      };
    },

    async create(usual, inputs, session) {
      protection.refuseEngineReplacement(inputs, session);
      const created = await usual(inputs, session);
      const { generatedPassword, password } = created.state;
      const isLost = inputs.adoptId !== undefined || trackingOf(created.state).taken === true;
      if (isLost && password === undefined && generatedPassword === undefined)
        session.warnOnce(`the password of Postgres service ${created.id} is not known; ${toGetPassword}`);
      warnOfOpen(
        postgresServiceResource,
        titleOf(postgresServiceResource, created.id, created.state),
        created.state,
        inputs,
        session,
      );
      return created;
    },

    async read(usual, id, state, session) {
      const live = await usual(id, state, session);
      const isImport = declaresNothing(postgresServiceResource, state);
      const title = titleOf(postgresServiceResource, id, state);
      if (live !== "gone" || !isImport) warnOfLoss(title, live, failed, session);
      if (typeof live !== "object") return live;
      if (isImport && live.state.isPrimary !== false)
        session.warnOnce(`the password of Postgres service ${id} is not known; ${toGetPassword}`);
      if (state.readReplicaOf !== undefined && live.state.isPrimary === true)
        session.warnOnce(`${title} was promoted, and is no read replica any more: take readReplicaOf out`);
      return live;
    },

    async update(usual, id, state, inputs, session) {
      const known = withOwnAddresses(postgresServiceResource, id, state, inputs, session);
      const updated = await usual(id, known, inputs, session);
      if (inputs.password === undefined) return updated;
      const { generatedPassword: _, ...others } = updated;
      return others;
    },

    async delete(usual, id, state, session) {
      const { scope } = contextOf(postgresServiceResource, state, session);
      const shownState = async () => {
        const shown = await session.lists.find("listPostgresServices", scope, id, "now");
        return shown && String(shown.state);
      };
      await protection.refuseDeletion({ id, state, shownState });
      const minutes = minutesFor(postgresWaiting, "delete", declaredIn(schemas, state));
      const until = Date.now() + minutes * 60_000;
      for (;;) {
        try {
          return await usual(id, state, session);
        } catch (error) {
          // A service that is about to change is deleted once that has ended. One with read replicas is not.
          const isBusy =
            error instanceof RefusedRequest && error.site.status === 409 && !error.says(/replica/i);
          if (!isBusy || Date.now() >= until || session.interruption.reason() !== undefined) throw error;
        }
        await session.interruption.pause(betweenTries);
      }
    },
  },
});

/** The parameters that the program declares; all of them if it declares nothing, as in an import. */
function ownParameters(name: string, live: unknown, declared: PropertyMap): [string, PropertyMap][] {
  if (!isObject(live)) return [];
  const own = declared[name];
  if (isObject(own)) return [[name, pick(live, Object.keys(own))]];
  return Object.keys(sentPart(schemas, declared)).length === 0 ? [[name, live]] : [];
}

/** The body of the request that creates a Postgres service, of which a read replica and a restored one have less. */
function creationOf({
  password,
  readReplicaOf,
  restoreOf,
  pgConfig,
  pgBouncerConfig,
  ...members
}: PropertyMap) {
  const maps = Object.entries({ pgConfig, pgBouncerConfig }).flatMap(([name, map]) =>
    isObject(map) && Object.keys(map).length > 0 ? [[name, sentParameters(name, map)]] : [],
  );
  const sent =
    readReplicaOf !== undefined || restoreOf !== undefined
      ? pick(members, ["name", "tags", "restoreTarget"])
      : members;
  return { ...sent, ...Object.fromEntries(maps) };
}

/** Creates a Postgres service exactly once, waits until it runs, and sends what its create request cannot have. */
async function createPostgres(
  creating: Creating,
  usual: (creating: Creating) => Promise<CreatedObject>,
): Promise<CreatedObject> {
  const { body, inputs, context } = creating;
  const { session, scope } = context;
  const postgres = postgresServiceResource as PostgresDefinition;
  if (inputs.allowSameName !== true) {
    const all = await session.lists.read("listPostgresServices", scope, { asOf: "now" });
    const alike = pick(body, ["name", "provider", "region"]);
    const likes = all.filter(
      (other: PropertyMap) =>
        other.state !== "deleting" && Object.entries(alike).every(([name, value]) => other[name] === value),
    );
    const place = body.provider === undefined ? "" : `in ${body.provider} ${body.region} `;
    refuseDuplicate(postgres, likes, `${place}is also named ${JSON.stringify(body.name)}`, context);
  }
  // Parameters have a route of their own, so that a service which lacks them in a list may be the one of a lost answer.
  const { pgConfig, pgBouncerConfig, ...shown } = inputs;
  const created = await onceReady({ ...creating, inputs: shown }, usual);
  if (created.unfinished) return created;
  const { id } = created;
  let areRulesSet = inputs.restoreOf === undefined || inputs.ipAccessList === undefined;
  const noting = (step: Step): Step =>
    "operation" in step && step.operation === "updatePostgresService"
      ? {
          ...step,
          shown(answer, at) {
            areRulesSet = true;
            return step.shown?.(answer, at);
          },
        }
      : step;
  const made = await completed(postgres, created, "goes on", async () => {
    const { inputs: live, outputs } = decode(postgres, created.object);
    const desired = sentPart(schemas, inputs);
    const aim = {
      declared: inputs,
      desired,
      live: { ...live, ...outputs },
      state: {},
      settings: session.settings,
    };
    const steps = stepsOf(postgres, aim).map(noting);
    const seen = await apply(steps, { id, context, list: "listPostgresServices" });
    return seen.at(-1);
  });
  // Until the rules of access are the declared ones, the creation of a restored service has not ended.
  return made.unfinished && !areRulesSet
    ? { ...made, unfinished: new Unfinished("create", made.unfinished.message, made.unfinished.debts) }
    : made;
}

/** Sends the create request; that of a read replica again and again until its parent has the first backup. */
async function onceReady(
  creating: Creating,
  usual: (creating: Creating) => Promise<CreatedObject>,
): Promise<CreatedObject> {
  const { inputs, context } = creating;
  const { session } = context;
  const { readReplicaOf, restoreOf } = inputs;
  if (typeof restoreOf === "string")
    return usual({
      ...creating,
      through: { operation: "restorePostgresService", parameters: { id: restoreOf } },
    });
  if (typeof readReplicaOf !== "string") return usual(creating);
  const through = { operation: "createPostgresReplica", parameters: { id: readReplicaOf } } as const;
  const until = Date.now() + minutesFor(postgresWaiting, "create", inputs) * 60_000;
  for (let isTold = false; ; isTold = true) {
    try {
      return await usual({ ...creating, through });
    } catch (error) {
      const isEarly =
        error instanceof RefusedRequest && error.says(/not ready for read replicas|no backups/i);
      if (!isEarly || Date.now() >= until || session.interruption.reason() !== undefined) throw error;
    }
    if (!isTold)
      session.inform(
        `Postgres service ${readReplicaOf} has no backup yet; the creation of its replica waits for one`,
      );
    await session.interruption.pause(betweenTries);
  }
}
