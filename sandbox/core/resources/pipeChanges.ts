import { ApiError, badRequest, notFound } from "../apiError";
import type { Collection, Records } from "../records";
import { type Call, documentedRoute, type Route, type RouteContext } from "../routes";
import {
  changedSource,
  checkColumns,
  checkNewPipe,
  checkReadCommitted,
  checkScaling,
  isNullCredentials,
  knownPart,
  mappingsIn,
  type PipeBody,
  withoutNullCredentials,
} from "./pipeBodies";
import { defaultSettings, type Pipe, type PipeSettings } from "./pipeRecords";
import {
  changedPipe,
  commandedPipe,
  createdPipe,
  databases,
  deletedPipe,
  type PipeCommand,
} from "./pipeStates";
import { credentialsIn, type SourceMembers, shownMembers, sourceOf } from "./productPipes";
import { stateOf } from "./serviceStates";
import { services } from "./services";
import { checkTunnelOfPipe } from "./sshTunnels";

interface PipeRoutes {
  readonly pipes: Collection<Pipe>;
  readonly find: (call: Pick<Call, "id" | "service">) => Pipe;
  readonly show: (pipe: Pipe, now: number) => object;
  /** Reads the settings of a pipe from a request body, by the names that the sandbox's records use. */
  readonly settingsIn: (body: SourceMembers) => PipeSettings;
}

export function changesOfPipes(
  { store, ids, stateMilliseconds }: RouteContext,
  { pipes, find, show, settingsIn }: PipeRoutes,
): readonly Route[] {
  const write = (pipe: Pipe, now: number) => {
    store.write(pipes, { ...pipe, updatedAt: new Date(now).toISOString() });
  };
  const unsetSettings = () => (store.organization.pipeDefaults === "left out" ? {} : defaultSettings);
  return [
    documentedRoute<PipeBody>({
      operation: "createPipe",
      method: "POST",
      path: "",
      judgesBody: true,
      run({ body: sent, bodyError, service, now }) {
        if (bodyError && !bodyError.failures.every((failure) => isNullCredentials(failure, sent)))
          throw bodyError.refusal;
        const body = withoutNullCredentials(sent);
        const state = stateOf(store.of(services).get(service.id) ?? {});
        // While a service is not fully running, ClickHouse Cloud refuses to create or change its pipes.
        if (state !== "running")
          throw new ApiError(
            424,
            `ClickPipe creation is allowed only when the ClickHouse service is running. Current state: ${state}`,
          );
        checkNewPipe(body);
        const { kind, members } = sourceOf({ source: body.source ?? {} });
        checkTunnelOfPipe(store, service.id, members.sshKeyResourceId);
        const { database = "default", roles, ...destination } = body.destination ?? {};
        const id = ids.uuid();
        const left = store.organization.tablesOfPipes?.[service.id] ?? [];
        const targets = targetsOf({ database, members });
        const { replicationMode } = (members.settings ?? {}) as SourceMembers;
        const life = createdPipe(
          kind,
          {
            isOnce:
              replicationMode === "snapshot" || (kind === "objectStorage" && members.isContinuous !== true),
            isPaused: body.startPaused === true,
            isBlocked: replicationMode !== "cdc_only" && targets.some((table) => left.includes(table)),
          },
          store.organization,
          now,
          stateMilliseconds,
        );
        const createdAt = new Date(now).toISOString();
        const pipe: Pipe = {
          ...{ id, serviceId: service.id, name: body.name ?? "", ...life, createdAt, updatedAt: createdAt },
          scaling: {
            replicas: 1,
            concurrency: 1,
            replicaCpuMillicores: 125,
            replicaMemoryGb: 0.5,
            ...body.scaling,
          },
          source: { [kind]: shownMembers(kind, members, id) },
          destination: {
            database,
            ...(kind in databases ? {} : { managedTable: true }),
            ...destination,
            ...shownTable(destination),
          },
          fieldMappings: [...(body.fieldMappings ?? [])],
          settings: kind in databases ? {} : { ...unsetSettings(), ...settingsIn(body.settings ?? {}) },
          credentials: credentialsIn(members),
          ...(roles && { roles: [...roles] }),
        };
        store.write(pipes, pipe);
        return show(pipe, now);
      },
    }),
    documentedRoute<PipeBody>({
      operation: "updatePipe",
      method: "PATCH",
      path: "/:id",
      judgesBody: true,
      run(call) {
        const { now, bodyError } = call;
        const isUnknown = bodyError?.failures.every(
          ({ keyword, instancePath }) =>
            keyword === "additionalProperties" && /^\/source\/\w+/.test(instancePath),
        );
        if (bodyError && !isUnknown) throw bodyError.refusal;
        // Other members that only a create takes are ignored.
        if (JSON.stringify(call.body.source ?? {}).includes('"sshKeyResourceId"'))
          throw badRequest("sshKeyResourceId cannot be updated");
        const body = knownPart(call.body, bodyError?.failures);
        const pipe = find(call);
        const { kind, members } = sourceOf(pipe);
        checkColumns(body);
        const change = (body.source as { [name: string]: SourceMembers } | undefined)?.[kind] ?? {};
        const after = body.source ? changedSource(kind, members, body.source) : members;
        const addsTables = mappingsIn(change, "tableMappingsToAdd").length > 0;
        const editsTables = addsTables || mappingsIn(change, "tableMappingsToRemove").length > 0;
        const { source, destination, fieldMappings, name = pipe.name } = body;
        const isChanged = source || destination || fieldMappings;
        const { steps, ...rest } = pipe;
        const life = isChanged
          ? changedPipe(pipe, kind, { editsTables, addsTables }, now, stateMilliseconds)
          : { state: pipe.state, ...(steps && { steps }) };
        // ClickHouse Cloud ignores settings in the body of a pipe's update.
        write(
          {
            ...{ ...rest, ...life, name },
            source: { [kind]: shownMembers(kind, after, pipe.id) },
            ...(destination?.columns && {
              destination: { ...pipe.destination, columns: destination.columns },
            }),
            ...(fieldMappings && { fieldMappings: [...fieldMappings] }),
            credentials: { ...pipe.credentials, ...credentialsIn(change) },
          },
          now,
        );
        return show(find(call), now);
      },
    }),
    documentedRoute<SourceMembers>({
      operation: "putPipeSettings",
      method: "PUT",
      path: "/:id/settings",
      run(call) {
        const pipe = find(call);
        const { kind } = sourceOf(pipe);
        if (kind in databases) throw notFound(`ingestion for pipe "${pipe.id}" not found`);
        if (Object.keys(call.body).length === 0) throw badRequest("settings must not be empty");
        checkReadCommitted(kind, call.body);
        // A request that changes a pipe's settings sets the settings that it omits to their defaults. Only for a pipe from
        // object storage do they keep their values.
        const before = kind === "objectStorage" ? pipe.settings : unsetSettings();
        write({ ...pipe, settings: { ...before, ...settingsIn(call.body) } }, call.now);
        return (show(find(call), call.now) as { settings: object }).settings;
      },
    }),
    documentedRoute<SourceMembers>({
      operation: "updatePipeScaling",
      method: "PATCH",
      path: "/:id/scaling",
      run(call) {
        const pipe = find(call);
        checkScaling(sourceOf(pipe).kind, call.body);
        const scaledUntil = call.now + stateMilliseconds;
        write({ ...pipe, scaling: { ...pipe.scaling, ...call.body }, scaledUntil }, call.now);
        return show(find(call), call.now);
      },
    }),
    documentedRoute<{ command: PipeCommand }>({
      operation: "updatePipeState",
      method: "PATCH",
      path: "/:id/state",
      run(call) {
        const pipe = find(call);
        // The response to a change of a pipe's state shows the state from before the change.
        const before = show(pipe, call.now);
        const { steps: _, ...rest } = pipe;
        const life = commandedPipe(pipe, sourceOf(pipe).kind, call.body.command, call.now, stateMilliseconds);
        write({ ...rest, state: life.state, ...(life.steps && { steps: life.steps }) }, call.now);
        return before;
      },
    }),
    {
      operation: "deletePipe",
      method: "DELETE",
      path: "/:id",
      run(call) {
        const pipe = find(call);
        store.write(pipes, { ...pipe, ...deletedPipe(pipe, call.now, stateMilliseconds) });
      },
    },
  ];
}

/** Lists the tables of the service that a pipe from a database fills; none for other pipes. */
const targetsOf = ({ database, members }: { database: string; members: SourceMembers }): readonly string[] =>
  mappingsIn(members).map(({ targetTable }) => `${database}.${targetTable}`);

/** Converts a table to the form of pipe responses, with the engine's name as the database has it. */
function shownTable({ tableDefinition }: NonNullable<PipeBody["destination"]>) {
  const { engine } = tableDefinition ?? {};
  if (engine?.type !== "MergeTree") return {};
  return { tableDefinition: { ...tableDefinition, engine: { ...engine, type: "MergeTree()" } } };
}

/**
 * Moves each pipe to the state that is due at a time. A pipe is removed when its deletion ends; the tables that it filled stay.
 */
export function settlePipes(pipes: Collection<Pipe>, store: Records, now: number): void {
  for (const { steps = [], ...pipe } of [...store.of(pipes).values()]) {
    const latest = steps.filter(({ at }) => at <= now).at(-1);
    if (!latest) continue;
    if (latest.state === "Gone") {
      const { tablesOfPipes = {} } = store.organization;
      const { members } = sourceOf(pipe);
      const tables = targetsOf({ database: pipe.destination.database, members });
      store.organization.tablesOfPipes = {
        ...tablesOfPipes,
        [pipe.serviceId]: [...(tablesOfPipes[pipe.serviceId] ?? []), ...tables],
      };
      store.remove(pipes, pipe.id);
      continue;
    }
    const left = steps.filter(({ at }) => at > now);
    store.write(pipes, { ...pipe, state: latest.state, ...(left.length > 0 && { steps: left }) });
  }
}
