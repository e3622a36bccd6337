import { ApiError, badRequest } from "../apiError";
import { sha256Base64 } from "../identifiers";
import type { Records } from "../records";
import { type Call, documentedRoute, type Route, type RouteContext } from "../routes";
import { listedRoutes } from "./listed";
import {
  accessOf,
  changedRules,
  checkPassword,
  checkTags,
  configOf,
  hostOf,
  type PatchBody,
  type RuleBody,
  restartMessage,
} from "./postgresBodies";
import type { PostgresParameters, PostgresService, PostgresState } from "./postgresRecords";
import type { Resource } from "./resource";
import type { Tag } from "./serviceRecords";

interface NewBody {
  name: string;
  tags?: Tag[];
  pgConfig?: PostgresParameters;
  pgBouncerConfig?: PostgresParameters;
}

interface CreateBody
  extends NewBody,
    Pick<PostgresService, "provider" | "region" | "size">,
    Partial<Pick<PostgresService, "postgresVersion" | "haType">> {
  ipAccessList?: RuleBody[];
}

type ConfigBody = Required<Pick<NewBody, "pgConfig" | "pgBouncerConfig">>;

/** How many times as long as other changes of a state it takes until a new Postgres service runs, by its origin. */
const provisioning: { readonly [origin: string]: readonly PostgresState[] } = {
  created: ["creating", "creating", "creating"],
  replica: ["creating", "restoring_backup", "restoring_backup", "replaying_wal", "replaying_wal"],
  restored: ["creating", "restoring_backup", "restoring_backup", "replaying_wal", "finalizing_restore"],
};

/** The managed Postgres services of the organization. A new sandbox has none. */
export const postgresServices = {
  place: "organization",
  dialect: "clickhouse",
  operations: [
    ...(["listPostgresServices", "createPostgresService", "getPostgresService"] as const),
    ...(["updatePostgresService", "deletePostgresService"] as const),
    ...(["getPostgresConfig", "replacePostgresConfig", "updatePostgresConfig"] as const),
    ...(["updatePostgresPassword", "updatePostgresState"] as const),
    ...(["createPostgresReplica", "restorePostgresService"] as const),
    ...(["listPostgresBackups", "getPostgresCertificates"] as const),
  ],
  path: () => "postgres",
  seed: (): PostgresService[] => [],
  columns: ["size", "haType", "postgresVersion", "hostname", "tags"],

  routes(context: RouteContext): Route[] {
    const { store, ids, stateMilliseconds } = context;
    const write = (service: PostgresService) => store.write(postgresServices, service);
    const usual = listedRoutes<PostgresService>(context, {
      collection: postgresServices,
      noun: "Postgres service",
      isPatched: true,
      hasUuids: true,
      tellsUnknown: true,
      membersOf: () => {
        throw new Error("Postgres services have routes of their own for creates and updates");
      },
      deleting({ id }) {
        const replica = replicasOf(store, id)[0];
        if (replica)
          throw new ApiError(
            409,
            `Postgres service has dependent read replicas: ${replica.id}. Delete them first`,
          );
      },
      // The deletion of a Postgres service ends after its response.
      ending: (service, { now }) => ({
        ...service,
        ...(service.state !== "deleting" && {
          state: "deleting",
          steps: [{ state: "deleted", at: now + 2 * stateMilliseconds }],
        }),
      }),
    });
    const routeOf = (operation: string) => usual.find((route) => route.operation === operation) as Route;
    const get = routeOf("getPostgresService");
    const of = (call: Call<never>) => {
      get.run(call);
      return store.of(postgresServices).get(call.id) as PostgresService;
    };
    const made = (
      { body, now }: Call<NewBody>,
      members: Pick<PostgresService, "provider" | "region" | "size" | "haType" | "postgresVersion">,
      origin: keyof typeof provisioning,
      others: Partial<PostgresService>,
    ): PostgresService => {
      checkTags(body.tags ?? []);
      const id = ids.uuid();
      const states = provisioning[origin] ?? [];
      const ready = now + states.length * stateMilliseconds;
      const later = states.map((state, index) => ({ state, at: now + index * stateMilliseconds }));
      const { provisioning: outcome = "works" } = store.organization;
      const last = outcome === "fails" ? "unavailable" : "running";
      const service: PostgresService = {
        id,
        ...members,
        ...{ name: body.name, tags: body.tags ?? [], ipAccessList: accessOf(undefined, ids) },
        hostname: hostOf(body.name, id, members),
        ...{ createdAt: new Date(now).toISOString(), state: "creating" },
        ...(outcome !== "hangs" && { steps: [...later.slice(1), { state: last, at: ready }] }),
        ...(origin !== "replica" && { firstBackupAt: ready + 2 * stateMilliseconds }),
        ...configOf(body, { pgConfig: {}, pgBouncerConfig: {} }, true),
        passwordHash: "",
        ...others,
      };
      write(service);
      return service;
    };
    const withPassword = (service: PostgresService, password: string, now: number) => {
      const { username, ...shown } = shownPostgres(service, now);
      const at = `${service.hostname}:5432/postgres?channel_binding=require`;
      return { ...shown, username, password, connectionString: `postgres://${username}:${password}@${at}` };
    };
    const setConfig = (call: Call<ConfigBody>, service: PostgresService, before: ConfigBody) => {
      const next = configOf(call.body, before, false);
      const message = restartMessage(service, next);
      write({ ...service, ...next });
      return { ...next, ...(message && { message }) };
    };
    return [
      {
        ...routeOf("listPostgresServices"),
        run: ({ now }: Call) => [...store.of(postgresServices).values()].map((each) => listed(each, now)),
      },
      documentedRoute<CreateBody>({
        ...routeOf("createPostgresService"),
        run(call) {
          const { provider, region, size, postgresVersion = "18", haType = "none", ipAccessList } = call.body;
          const password = ids.keyPair().keySecret;
          const members = { provider, region, size, haType, postgresVersion };
          const service = made(call, members, "created", {
            ipAccessList: accessOf(ipAccessList, ids),
            passwordHash: sha256Base64(password),
          });
          return withPassword(service, password, call.now);
        },
      }),
      { ...get, run: (call: Call<never>) => shownPostgres(of(call), call.now) },
      documentedRoute<PatchBody>({
        ...routeOf("updatePostgresService"),
        run(call) {
          const service = of(call as never);
          if (service.parentId !== undefined) throw untouchable();
          const { name = service.name, size, haType, tags = [], ipAccessList } = call.body;
          // An update without tags removes them all.
          checkTags(tags, true);
          const rules = ipAccessList && changedRules(service.ipAccessList, ipAccessList, ids);
          const now = shownPostgres(service, call.now);
          const isResized = (size ?? now.size) !== now.size || (haType ?? now.haType) !== now.haType;
          write({
            ...service,
            ...{ name, tags },
            ...(name !== service.name && { hostname: hostOf(name, service.id, service) }),
            ...(rules && { ipAccessList: rules }),
            ...(size !== undefined && { size }),
            ...(haType !== undefined && { haType }),
            ...(isResized && {
              former: { size: now.size, haType: now.haType, until: call.now + stateMilliseconds },
            }),
          });
          const { ipAccessList: list, ...shown } = shownPostgres(of(call as never), call.now);
          return rules ? { ...shown, ipAccessList: list } : shown;
        },
      }),
      routeOf("deletePostgresService"),
      {
        ...{ operation: "getPostgresConfig", method: "GET", path: "/:id/config" },
        run(call: Call<never>) {
          const { pgConfig, pgBouncerConfig } = of(call);
          return { pgConfig, pgBouncerConfig };
        },
      },
      documentedRoute<ConfigBody>({
        ...{ operation: "replacePostgresConfig", method: "POST", path: "/:id/config" },
        run: (call) => setConfig(call, of(call as never), { pgConfig: {}, pgBouncerConfig: {} }),
      }),
      documentedRoute<ConfigBody>({
        ...{ operation: "updatePostgresConfig", method: "PATCH", path: "/:id/config" },
        run(call) {
          const service = of(call as never);
          return setConfig(call, service, service);
        },
      }),
      documentedRoute<{ password?: string }>({
        ...{ operation: "updatePostgresPassword", method: "PATCH", path: "/:id/password" },
        run(call) {
          const service = of(call as never);
          if (service.parentId !== undefined) throw untouchable();
          const { password } = call.body;
          checkPassword(password);
          const next = password ?? `${ids.keyPair().keySecret}aA1`;
          write({ ...service, passwordHash: sha256Base64(next) });
          return password === undefined ? { password: next } : {};
        },
      }),
      documentedRoute<{ command?: "promote" | "restart" | "switchover" }>({
        ...{ operation: "updatePostgresState", method: "PATCH", path: "/:id/state" },
        run(call) {
          const { steps, parentId, ...service } = of(call as never);
          // The response shows the state from before the command.
          const before = shownPostgres(of(call as never), call.now);
          const { command } = call.body;
          if (service.state !== "running")
            throw new ApiError(409, `Postgres service must be running. Current state: '${service.state}'`);
          if (command === "promote" && parentId === undefined)
            throw badRequest("Only a read replica can be promoted");
          if (command === "switchover" && service.haType === "none")
            throw badRequest("The Postgres service has no standby to switch over to");
          const running = { state: "running", at: call.now + stateMilliseconds } as const;
          const firstBackupAt = running.at + 2 * stateMilliseconds;
          write({
            ...service,
            ...(command === "promote" ? { firstBackupAt } : parentId !== undefined && { parentId }),
            ...{ state: "restarting", steps: [running] },
          });
          return before;
        },
      }),
      documentedRoute<NewBody>({
        ...{ operation: "createPostgresReplica", method: "POST", path: "/:id/readReplica" },
        run(call) {
          const { id, passwordHash, ipAccessList, pgConfig, pgBouncerConfig, ...parent } = of(call as never);
          if (parent.parentId !== undefined) throw untouchable();
          if (parent.state !== "running" || !hasBackups(parent, call.now))
            throw badRequest("Parent server is not ready for read replicas. There are no backups, yet.");
          const { provider, region, size, postgresVersion } = parent;
          const members = { provider, region, size, postgresVersion, haType: "none" as const };
          const inherited = configOf(call.body, { pgConfig, pgBouncerConfig }, true);
          const others = { parentId: id, passwordHash, ipAccessList, ...inherited };
          return shownPostgres(made(call, members, "replica", others), call.now);
        },
      }),
      documentedRoute<NewBody & { restoreTarget: string }>({
        ...{ operation: "restorePostgresService", method: "POST", path: "/:id/restoredService" },
        run(call) {
          const source = of(call as never);
          const target = Date.parse(call.body.restoreTarget);
          if (!hasBackups(source, call.now) || target < (source.firstBackupAt ?? 0) || target > call.now)
            throw badRequest("restoreTarget must be between the earliest restore time and now");
          const { provider, region, size, postgresVersion, passwordHash } = source;
          const members = { provider, region, size, postgresVersion, haType: "none" as const };
          const service = made(call, members, "restored", {
            ...configOf(call.body, source, true),
            passwordHash,
          });
          return shownPostgres(service, call.now);
        },
      }),
      {
        ...{ operation: "listPostgresBackups", method: "GET", path: "/:id/backups" },
        run(call: Call<never>) {
          const service = of(call);
          if (!hasBackups(service, call.now)) return [];
          const key = "basebackups_005/000000010000000000000002_backup_stop_sentinel.json";
          return [{ key, status: "ready", lastModified: dateOf(service.firstBackupAt) }];
        },
      },
      {
        ...{ operation: "getPostgresCertificates", method: "GET", path: "/:id/caCertificates" },
        run: (call: Call<never>) => certificatesOf(of(call)),
      },
    ];
  },
} as const satisfies Resource;

/** Passes Postgres services into their later states, and removes those whose deletion has ended. */
export function settlePostgres(store: Records, now: number): void {
  for (const { steps = [], ...service } of [...store.of(postgresServices).values()]) {
    const latest = steps.filter(({ at }) => at <= now).at(-1);
    if (latest?.state === "deleted") store.remove(postgresServices, service.id);
    else if (latest) {
      const left = steps.filter(({ at }) => at > now);
      const { state } = latest;
      store.write(postgresServices, { ...service, state, ...(left.length > 0 && { steps: left }) });
    }
  }
}

const replicasOf = (store: Records, parent: string) =>
  [...store.of(postgresServices).values()].filter(
    ({ parentId, state }) => parentId === parent && state !== "deleting",
  );

const hasBackups = (
  { firstBackupAt = Number.POSITIVE_INFINITY }: Pick<PostgresService, "firstBackupAt">,
  now: number,
) => firstBackupAt <= now;

const dateOf = (moment = 0) => new Date(moment).toISOString();

const untouchable = () =>
  badRequest("Read replicas cannot be modified directly! Please modify the parent database instead.");

function shownPostgres(service: PostgresService, now: number) {
  const { former, firstBackupAt, parentId, passwordHash, pgConfig, pgBouncerConfig, steps, ...members } =
    service;
  const { size, haType } = former && former.until > now ? former : members;
  return {
    ...members,
    ...{ size, haType, storageSize: 118, username: "postgres", isPrimary: parentId === undefined },
    ...(hasBackups(service, now) && { earliestRestoreTime: dateOf(firstBackupAt) }),
  };
}

/** The form of a Postgres service in lists, which lack its host, its user and its rules of access. */
function listed(service: PostgresService, now: number): object {
  const { hostname, username, ipAccessList, storageSize, earliestRestoreTime, ...members } = shownPostgres(
    service,
    now,
  );
  return members;
}

const certificatesOf = ({ hostname }: PostgresService) => {
  const lines = Buffer.from(`certificate of the authority for ${hostname}`).toString("base64");
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
};
