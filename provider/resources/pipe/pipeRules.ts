import { isObject, type PropertyMap } from "../../values/data";
import { isThereTwice, repeatedEntries } from "../../values/memberRules";
import { isUnknown } from "../../values/unknown";
import { type Failure, notText } from "../../values/validate";
import { credentialFailures, missingCredentials } from "./credentials";
import { databases, isDatabase, kinds, type Source, sourceIn } from "./kinds";
import { schemaOfSource } from "./pipeInputs";
import { inside, sourceFailures } from "./sourceRules";
import { mappingKey, mappingsIn } from "./tableMappings";

/** The failures for a pipe whose properties contradict each other. `olds` are the former inputs, absent for a new pipe. */
export function pipeFailures(declared: PropertyMap, olds: PropertyMap | undefined): Failure[] {
  const given = isObject(declared.source)
    ? kinds.filter((kind) => (declared.source as PropertyMap)[kind] !== undefined)
    : undefined;
  if (given && given.length !== 1)
    return [{ path: "source", message: `must have exactly one of ${kinds.join(", ")}` }];
  const source = sourceIn(declared);
  if (!source) return [];
  const isNew = olds === undefined && declared.adoptId === undefined;
  return [
    ...sourceFailures(source),
    ...(isDatabase(source.kind)
      ? databaseFailures(source, declared, olds)
      : streamFailures(source, declared)),
    ...destinationFailures(declared.destination),
    ...credentialFailures(declared),
    ...(isNew ? missingCredentials(declared) : []),
  ];
}

/** Properties of the destination that no pipe with a database as its source has. */
const ofStreams = ["table", "managedTable", "tableDefinition", "columns"];

function databaseFailures(
  { kind, members }: Source,
  declared: PropertyMap,
  olds: PropertyMap | undefined,
): Failure[] {
  const destination = inside(declared, "destination");
  const foreign = [
    ...ofStreams.filter((name) => destination[name] !== undefined).map((name) => `destination.${name}`),
    ...["fieldMappings", "scaling", "settings"].filter((name) => declared[name] !== undefined),
  ];
  return [
    ...foreign.map((path) => ({ path, message: `does not go with a source of ${databases[kind]}` })),
    ...doubles(kind, members),
    ...mappingsIn(members).flatMap(({ useCustomSortingKey, sortingKeys }, index) => {
      const path = `source.${kind}.tableMappings[${index}]`;
      const has = Array.isArray(sortingKeys) && sortingKeys.length > 0;
      if (useCustomSortingKey === true && sortingKeys === undefined)
        return [{ path: `${path}.sortingKeys`, message: "is missing: useCustomSortingKey needs it" }];
      return has && (useCustomSortingKey === undefined || useCustomSortingKey === false)
        ? [{ path: `${path}.useCustomSortingKey`, message: "must be true for sortingKeys to take effect" }]
        : [];
    }),
    ...(kind !== "postgres" && kind !== "mysql" && declared.resyncTrigger !== undefined
      ? [{ path: "resyncTrigger", message: "applies only to a source of Postgres or MySQL" }]
      : []),
    ...(olds && declared.state === "stopped" && hasNewTrigger(declared, olds)
      ? [
          {
            path: "resyncTrigger",
            message: "cannot change while state is stopped, since only a running pipe loads its tables again",
          },
        ]
      : []),
  ];
}

const hasNewTrigger = ({ resyncTrigger }: PropertyMap, olds: PropertyMap) =>
  resyncTrigger !== undefined && resyncTrigger !== olds.resyncTrigger;

/** The failures for table mappings of a pipe that read the same source table, or fill the same destination table. */
function doubles(kind: string, members: PropertyMap): Failure[] {
  const mappings = mappingsIn(members);
  const path = (index: number) => `source.${kind}.tableMappings[${index}]`;
  const targets = mappings.map(({ targetTable }) => targetTable);
  return [
    ...repeatedEntries(targets, (index) => isThereTwice(`${path(index)}.targetTable`, targets[index])),
    ...repeatedEntries(mappings.map(mappingKey), (index) => ({
      path: path(index),
      message: "names a source table that another entry also names",
    })),
  ];
}

function streamFailures({ kind }: Source, declared: PropertyMap): Failure[] {
  const { destination, fieldMappings, settings = {}, resyncTrigger } = declared;
  const { kafka_read_committed: readCommitted } = settings as PropertyMap;
  if (!isObject(destination)) return [];
  const { managedTable } = destination;
  const needed = [
    "table",
    "columns",
    ...(managedTable === false || isUnknown(managedTable) ? [] : ["tableDefinition"]),
  ];
  const columns = Array.isArray(destination.columns) ? destination.columns : undefined;
  const names = columns?.map((column: unknown) => (isObject(column) ? column.name : column));
  const isKnown = names?.every((name) => typeof name === "string");
  const fields = Array.isArray(fieldMappings) ? fieldMappings.filter(isObject) : [];
  return [
    ...needed
      .filter((name) => destination[name] === undefined)
      .map((name) => ({
        path: `destination.${name}`,
        message: "is missing: every source except a database needs it",
      })),
    ...fields.flatMap(({ destinationField }, index) =>
      isKnown && typeof destinationField === "string" && !names?.includes(destinationField)
        ? [
            {
              path: `fieldMappings[${index}].destinationField`,
              message: "is not a column in destination.columns",
              ...notText(destinationField),
            },
          ]
        : [],
    ),
    ...(readCommitted !== undefined && kind !== "kafka"
      ? [{ path: "settings.kafka_read_committed", message: "applies only to a Kafka source" }]
      : []),
    ...clusterFailures(settings as PropertyMap),
    ...(resyncTrigger !== undefined
      ? [{ path: "resyncTrigger", message: "applies only to a source of Postgres or MySQL" }]
      : []),
  ];
}

/** The failure for a pipe whose inserts shall be spread over the replicas although not all replicas load objects. */
function clusterFailures({
  engine_parallel_distributed_insert_select: spread,
  object_storage_use_cluster_function: isClustered,
}: PropertyMap): Failure[] {
  return typeof spread === "number" && spread > 0 && isClustered === false
    ? [
        {
          path: "settings.object_storage_use_cluster_function",
          message: "must be true: engine_parallel_distributed_insert_select needs it",
        },
      ]
    : [];
}

/** Whether a sorting expression has a comma outside its parentheses, and so names several columns. */
function isSeveral(expression: string): boolean {
  const [open, close] = [expression.indexOf("("), expression.lastIndexOf(")")];
  const outside =
    open === -1 || close < open ? expression : expression.slice(0, open) + expression.slice(close + 1);
  return outside.includes(",");
}

const reservedRoles = ["clickpipes", "clickpipes_system"];

function destinationFailures(destination: unknown): Failure[] {
  if (!isObject(destination)) return [];
  const definition = inside(destination, "tableDefinition");
  const { type, versionColumnId, columnIds } = inside(definition, "engine");
  const path = "destination.tableDefinition";
  const lists = (name: string, data: PropertyMap) =>
    Array.isArray(data[name]) ? (data[name] as unknown[]) : [];
  return [
    ...lists("sortingKey", definition).flatMap((entry, index) =>
      typeof entry === "string" && isSeveral(entry)
        ? [
            {
              path: `${path}.sortingKey[${index}]`,
              message: "must be one column or expression: declare each further one as an entry",
            },
          ]
        : [],
    ),
    ...(versionColumnId !== undefined && typeof type === "string" && type !== "ReplacingMergeTree"
      ? [{ path: `${path}.engine.versionColumnId`, message: "applies only to a ReplacingMergeTree" }]
      : []),
    ...(columnIds !== undefined && typeof type === "string" && type !== "SummingMergeTree"
      ? [{ path: `${path}.engine.columnIds`, message: "applies only to a SummingMergeTree" }]
      : []),
    ...lists("roles", destination).flatMap((name, index) =>
      reservedRoles.includes(String(name))
        ? [
            {
              path: `destination.roles[${index}]`,
              message: "is a role that the service reserves for itself; name another one",
            },
          ]
        : [],
    ),
  ];
}

/** Refuses the SSH tunnel of a source that none reaches, where the schema would only say that it does not know the member. */
export function withoutForeignTunnel(declared: PropertyMap): {
  readonly inputs: PropertyMap;
  readonly failures: readonly Failure[];
} {
  const { kind, members } = sourceIn(declared) ?? { kind: "", members: {} };
  const reached = kinds.filter((each) => "sshKeyResourceId" in (schemaOfSource(each).properties ?? {}));
  const { sshKeyResourceId, ...others } = members;
  if (sshKeyResourceId === undefined || reached.includes(kind)) return { inputs: declared, failures: [] };
  const path = `source.${kind}.sshKeyResourceId`;
  const message = `goes with a source of ${reached.join(", ")} alone: take it out`;
  return { inputs: { ...declared, source: { [kind]: others } }, failures: [{ path, message }] };
}

export function pipeWarnings(declared: PropertyMap): string[] {
  const source = sourceIn(declared);
  if (!source) return [];
  const { kind, members } = source;
  return [
    ...(kind === "kafka" && members.authentication === undefined
      ? ["Pipe: source.kafka has no authentication, so anybody may read these brokers"]
      : []),
    ...(members.disableTls === true
      ? [`Pipe: source.${kind}.disableTls sends the data, and the credentials, in plain text`]
      : []),
  ];
}
