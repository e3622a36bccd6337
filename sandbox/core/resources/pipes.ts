import { Type } from "@sinclair/typebox";
import { ApiError, badRequest, notFound } from "../apiError";
import { isUuid } from "../identifiers";
import type { Collection, Records } from "../records";
import type { Call, Route, RouteContext } from "../routes";
import type { Dialect } from "../vocabulary";
import { changesOfPipes } from "./pipeChanges";
import { routesBesidePipes } from "./pipeDiscovery";
import { type Pipe, type PipeSettings, seededPipes, settingNames } from "./pipeRecords";
import { databases } from "./pipeStates";
import { productPipes, productSource, sourceOf } from "./productPipes";
import type { Resource } from "./resource";
import { mustRun } from "./serviceStates";
import { services } from "./services";
import { sshTunnels } from "./sshTunnels";

const booleanSetting = /_(use_cluster_function|parallel_view_processing)$/;

const readCommitted = "kafka_read_committed";

/**
 * Matches the prefix of pipe settings in the sandbox's records that belong to the database engine, such as
 * `engine_max_threads`.
 */
const engine = /^engine_/;

/**
 * The pipes of a service in the sandbox. The dialect `neutral` has only list and get, and the settings of a pipe, a flat map
 * that PUT replaces; the dialect `clickhouse` has all operations.
 */
export const pipes = {
  place: "service",
  operations: [
    ...(["listPipes", "createPipe", "getPipe", "getPipeSettings", "putPipeSettings"] as const),
    ...(["updatePipe", "updatePipeScaling", "updatePipeState", "deletePipe"] as const),
    ...(["discoverPipeSchema", "getPipesContext"] as const),
  ],
  path: (vocabulary) => vocabulary.pipes,
  seed: (dialect: Dialect): Pipe[] => (dialect === "clickhouse" ? productPipes : seededPipes),
  columns: ["source", "destination", "scaling"],

  /** ClickHouse Cloud deletes no SSH tunnel that a pipe uses. */
  hold(records: Records, deleted: Collection, id: string): void {
    if (deleted !== (sshTunnels as Collection)) return;
    const user = [...records.of<Pipe>(pipes).values()].find(
      (pipe) => sourceOf(pipe).members.sshKeyResourceId === id,
    );
    if (user) throw new ApiError(409, `SSH key resource is used by ClickPipe ${user.id}`);
  },

  routes(context: RouteContext): Route[] {
    const { store, vocabulary } = context;
    const spelled = (name: string) => name.replace(engine, `${vocabulary.engineSettings}_`);
    const settingsOf = ({ settings }: Pipe) =>
      Object.fromEntries(Object.entries(settings).map(([name, value]) => [spelled(name), value]));
    const isProduct = vocabulary.dialect === "clickhouse";
    const show = ({ steps: _, credentials: _credentials, roles: _roles, ...pipe }: Pipe, now: number) => {
      const { scaledUntil = 0, ...shown } = pipe;
      return {
        ...shown,
        ...(isProduct && { source: productSource(pipe.source) }),
        ...(now < scaledUntil && { scaling: { ...pipe.scaling, replicas: 0 } }),
        settings: settingsOf(pipe),
      };
    };
    const settingsIn = (body: { readonly [name: string]: unknown }): PipeSettings =>
      Object.fromEntries(
        settingNames.flatMap((name) => {
          const value = body[spelled(name)];
          return value === undefined || value === null ? [] : [[name, value as number | boolean]];
        }),
      );
    const SettingsBody = Type.Object(
      Object.fromEntries(
        settingNames
          .filter((name) => name !== readCommitted)
          .map((name) => [
            spelled(name),
            Type.Optional(booleanSetting.test(name) ? Type.Boolean() : Type.Integer({ minimum: 0 })),
          ]),
      ),
      { additionalProperties: false },
    );
    const find = ({ id, service }: Pick<Call, "id" | "service">): Pipe => {
      if (!isUuid(id)) throw badRequest("Invalid pipe id");
      const pipe = store.of(pipes).get(id);
      if (pipe?.serviceId !== service.id) throw notFound("pipe not found");
      return pipe;
    };
    const settings = "/:id/settings";
    /** While a service does not run, ClickHouse Cloud refuses even requests that only read its pipes. */
    const ofRunning = (route: Route): Route => ({
      ...route,
      run(call) {
        mustRun(store.of(services).get((call as Call<never>).service.id));
        return route.run(call);
      },
    });
    const reads: Route[] = [
      {
        operation: "listPipes",
        method: "GET",
        path: "",
        run: ({ service, now }) => store.ofService(pipes, service.id).map((pipe) => show(pipe, now)),
      },
      { operation: "getPipe", method: "GET", path: "/:id", run: (call) => show(find(call), call.now) },
      {
        operation: "getPipeSettings",
        method: "GET",
        path: settings,
        run(call) {
          const pipe = find(call);
          if (isProduct && sourceOf(pipe).kind in databases)
            throw notFound(`ingestion for pipe "${pipe.id}" not found`);
          return settingsOf(pipe);
        },
      },
    ];
    const changes: Route[] = [
      {
        operation: "createPipe",
        method: "POST",
        path: "",
        run() {
          throw new ApiError(
            501,
            "the sandbox does not create pipes: the API document does not show the request body",
          );
        },
      },
      {
        operation: "putPipeSettings",
        method: "PUT",
        path: settings,
        body: SettingsBody,
        run(call: Call<never>) {
          const pipe = find(call);
          const settings = settingsIn(call.body);
          store.write(pipes, { ...pipe, settings, updatedAt: new Date(call.now).toISOString() });
          return settingsOf(pipe);
        },
      },
    ];
    if (!isProduct) return [...reads, ...changes];
    const further = changesOfPipes(context, { pipes, find, show, settingsIn });
    // The path of a single pipe ends with its id, so its route would also take the path `/context`. The router therefore tries
    // the routes with fixed paths first.
    return [...routesBesidePipes, ...reads, ...further].map(ofRunning);
  },
} as const satisfies Resource;
