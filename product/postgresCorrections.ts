import type { Correction } from "./correction";

export const postgresCorrections: readonly Correction[] = [
  {
    table: "cloud",
    at: ["pgConfig", "pgBouncerConfig"],
    is: { minProperties: undefined },
    because: "Answers have no parameters where nobody has set one, and a change may remove all of them.",
    seen: "ClickHouse/terraform-provider-clickhouse internal/api/postgres.go: ReplacePostgresConfig; clickhouse-cloud-api 0.5.0 tests/integration_postgres_test.rs",
  },
];
