/**
 * The pipes that others' clients create, read, change and delete in the sandbox, for clients.mjs: one of every kind that the
 * clients have.
 */

/**
 * The command line's options for a pipe of each kind, and, where its API can change a pipe, the body of a change. Pipes from
 * databases are paused before they are changed.
 * @type {{ [kind: string]: { args: string[], change?: object, isPaused?: true } }}
 */
const kinds = {
  kafka: {
    args: [
      ...["--brokers", "broker.example.com:9092", "--topics", "events", "--format", "JSONEachRow"],
      ...["--auth", "PLAIN", "--username", "reader", "--password", "secret"],
    ],
    change: { name: "changed" },
  },
  "object-storage": {
    args: [
      ...[
        "--source-url",
        "https://bucket.s3.eu-west-1.amazonaws.com/*.json",
        "--format",
        "JSONEachRow",
        "--continuous",
      ],
      ...["--auth", "IAM_USER", "--access-key-id", "AKIAEXAMPLE", "--secret-key", "secret"],
    ],
    change: { name: "changed" },
  },
  kinesis: {
    args: [
      ...["--stream-name", "events", "--region", "eu-west-1", "--format", "JSONEachRow"],
      ...["--auth", "IAM_USER", "--access-key-id", "AKIAEXAMPLE", "--secret-key", "secret"],
    ],
    change: { name: "changed" },
  },
  pubsub: {
    args: [
      ...["--project-id", "project", "--topic", "events", "--format", "JSONEachRow", "--seek-type", "latest"],
      ...["--service-account-file", "$serviceAccount"],
    ],
    change: { name: "changed" },
  },
  postgres: {
    args: [
      ...[
        "--host",
        "postgres.example.com",
        "--pg-database",
        "shop",
        "--username",
        "reader",
        "--password",
        "secret",
      ],
      ...["--table-mapping", "public.users:users"],
    ],
    change: {
      source: {
        postgres: {
          tableMappingsToAdd: [
            {
              ...{ partitionByExpr: "", partitionKey: "" },
              ...{ sourceSchemaName: "public", sourceTable: "orders", targetTable: "changed" },
              ...{
                excludedColumns: [],
                useCustomSortingKey: false,
                sortingKeys: [],
                tableEngine: "ReplacingMergeTree",
              },
            },
          ],
        },
      },
    },
    isPaused: true,
  },
  mysql: {
    args: [
      ...["--host", "mysql.example.com", "--username", "reader", "--password", "secret"],
      ...["--table-mapping", "shop.orders:mysql_orders"],
    ],
    change: { name: "changed" },
    isPaused: true,
  },
  mongodb: {
    args: [
      ...["--uri", "mongodb+srv://cluster0.example.net", "--username", "reader", "--password", "secret"],
      ...["--table-mapping", "shop.carts:carts"],
    ],
    change: { name: "changed" },
    isPaused: true,
  },
  bigquery: {
    args: [
      ...["--service-account-file", "$serviceAccount", "--staging-path", "gs://staging/"],
      ...["--table-mapping", "archive.events:archived_events"],
    ],
  },
};

/** The kinds of pipes from databases, whose tables follow from their table mappings. */
const databases = ["postgres", "mysql", "mongodb", "bigquery"];

const repeats = { repeats: /** @type {const} */ (true) };

/** @type {import("./clients.mjs").Call[]} */
export const pipeCalls = Object.entries(kinds).flatMap(([kind, { args, change, isPaused }]) => {
  const table = databases.includes(kind)
    ? []
    : ["--database", "default", "--table", `${kind}_events`, "--column", "id:UInt64"];
  const pipe = ["$service", `$${kind}`];
  const get = ["clickpipe", "get", ...pipe];
  return [
    {
      args: ["clickpipe", "create", kind, "$service", "--name", kind].concat(args, table),
      keep: kind,
    },
    { args: get, ...repeats, shows: /"state": "(Running|Completed)"/ },
    ...(isPaused
      ? [{ args: ["clickpipe", "stop", ...pipe] }, { args: get, ...repeats, shows: /"state": "Paused"/ }]
      : []),
    ...(change
      ? [
          { args: ["clickpipe", "update", ...pipe], body: () => change },
          { args: get, ...repeats, shows: /"changed"/ },
        ]
      : []),
    { args: ["clickpipe", "delete", ...pipe] },
    { args: get, ...repeats, refused: /pipe not found/ },
  ];
});

const managed = (/** @type {string} */ table) => `{
    table            = "${table}"
    managed_table    = true
    table_definition = { engine = { type = "MergeTree" } }
    columns          = [{ name = "id", type = "UInt64" }, { name = "text", type = "String" }]
  }
  field_mappings = [{ source_field = "message", destination_field = "text" }]`;

const accessKey = `access_key = { access_key_id = "AKIAEXAMPLE", secret_key = "secret" }`;

const login = `credentials = { username = "reader", password = "secret" }`;

/**
 * The source of a pipe of each kind in Terraform's language, with the destination of the pipe.
 * @type {{ [kind: string]: (isChanged: boolean) => readonly [source: string, destination: string] }}
 */
const terraformPipes = {
  kafka: () => [
    `type = "redpanda"
      format = "JSONEachRow"
      brokers = "broker.example.com:9092"
      topics = "events"
      authentication = "SCRAM-SHA-512"
      ${login}`,
    managed("kafka_events"),
  ],
  object_storage: () => [
    `type = "s3"
      format = "JSONEachRow"
      url = "https://bucket.s3.eu-west-1.amazonaws.com/*.json"
      is_continuous = true
      authentication = "IAM_USER"
      ${accessKey}`,
    managed("files"),
  ],
  kinesis: () => [
    `format = "JSONEachRow"
      stream_name = "events"
      region = "eu-west-1"
      iterator_type = "TRIM_HORIZON"
      authentication = "IAM_USER"
      ${accessKey}`,
    managed("kinesis_events"),
  ],
  pubsub: () => [
    `format = "JSONEachRow"
      project_id = "project"
      topic = "events"
      authentication = "SERVICE_ACCOUNT"
      seek_type = "latest"
      service_account_key = { service_account_file = "e30=" }`,
    managed("pubsub_events"),
  ],
  postgres: (isChanged) => [
    `host = "postgres.example.com"
      port = 5432
      database = "shop"
      ${login}
      settings = { replication_mode = "cdc" }
      table_mappings = [
        ${isChanged ? `{ source_schema_name = "public", source_table = "orders", target_table = "orders" },` : ""}
        { source_schema_name = "public", source_table = "users", target_table = "users" },
      ]`,
    "{}",
  ],
  mysql: () => [
    `host = "mysql.example.com"
      port = 3306
      ${login}
      settings = { replication_mode = "cdc", replication_mechanism = "GTID" }
      table_mappings = [{ source_schema_name = "shop", source_table = "orders", target_table = "mysql_orders" }]`,
    "{}",
  ],
  mongodb: () => [
    `uri = "mongodb+srv://cluster0.example.net"
      read_preference = "secondaryPreferred"
      ${login}
      settings = { replication_mode = "cdc" }
      table_mappings = [{ source_database_name = "shop", source_collection = "carts", target_table = "carts" }]`,
    "{}",
  ],
  bigquery: () => [
    `snapshot_staging_path = "gs://staging/"
      credentials = { service_account_file = "e30=" }
      settings = { replication_mode = "snapshot" }
      table_mappings = [{ source_dataset_name = "archive", source_table = "events", target_table = "archived_events" }]`,
    "{}",
  ],
};

/**
 * A Terraform program with a pipe of each kind in a service.
 * @param {string} service the id of the service
 * @param {boolean} isChanged whether the pipes that can change have other names, and the Postgres pipe reads one more table
 */
export const pipeProgram = (service, isChanged) =>
  Object.entries(terraformPipes)
    .map(([kind, pipe]) => {
      const [source, destination] = pipe(isChanged);
      return `
resource "clickhouse_clickpipe" "${kind}" {
  name        = "${isChanged && kind !== "bigquery" ? "changed" : "terraform"} ${kind}"
  service_id  = "${service}"
  source = {
    ${kind} = {
      ${source}
    }
  }
  destination = ${destination}
}
`;
    })
    .join("");
