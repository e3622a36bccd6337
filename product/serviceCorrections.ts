import { type Correction, sentences } from "./correction";

export const serviceCorrections: readonly Correction[] = [
  {
    table: "cloud",
    at: "Service.byocId",
    is: { type: ["string", "null"], minLength: 1 },
    because: "It is absent or null where there is none, never an empty text.",
    seen: sentences,
  },
  {
    table: "cloud",
    at: [
      "ServiceScalingPatchRequest.idleTimeoutMinutes",
      "ServiceReplicaScalingPatchRequest.idleTimeoutMinutes",
      "ScalingScheduleEntryRequest.idleTimeoutMinutes",
    ],
    is: { type: "number", minimum: 5 },
    because: "The sentences about it name the least number of minutes.",
    seen: sentences,
  },
  {
    table: "cloud",
    at: "CreateReversePrivateEndpoint.description",
    is: { type: "string", maxLength: 255 },
    because: "The sentence about it names the most characters.",
    seen: sentences,
  },
  {
    table: "cloud",
    at: "ClickPipeDestinationTableEngine.type",
    is: {
      type: "string",
      enum: ["MergeTree", "MergeTree()", "Null", "ReplacingMergeTree", "SummingMergeTree"],
    },
    because: "Answers write the engine as the database does.",
    seen: "issue 571 of ClickHouse/terraform-provider-clickhouse",
  },
  {
    table: "cloud",
    at: "ClickPipeScaling.replicas",
    is: { type: "integer", minimum: 0, maximum: 40 },
    because: "Answers show no replicas right after a change of them.",
    seen: "issue 513 of ClickHouse/terraform-provider-clickhouse",
  },
];
