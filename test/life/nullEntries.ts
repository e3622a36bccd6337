import axios, { type InternalAxiosRequestConfig } from "axios";

/** Runs a step while each list inside the objects of the service's answers has a null among its entries. */
export async function withNullEntries<Result>(step: () => Promise<Result>): Promise<Result> {
  const { adapter } = axios.defaults;
  const send = axios.getAdapter(adapter);
  axios.defaults.adapter = async (config: InternalAxiosRequestConfig) => {
    const response = await send(config);
    return { ...response, data: rewritten(response.data) };
  };
  try {
    return await step();
  } finally {
    axios.defaults.adapter = adapter;
  }
}

function rewritten(text: unknown): unknown {
  if (typeof text !== "string" || !text.startsWith("{")) return text;
  const { result, data, ...around } = JSON.parse(text);
  return JSON.stringify({ ...around, ...(result && inside({ result })), ...(data && inside({ data })) });
}

/** The envelope of an answer with nulls in the lists inside its objects; the list of the objects themselves has none. */
function inside(envelope: Readonly<Record<string, unknown>>): object {
  const objects = Object.entries(envelope).map(([name, payload]) => [
    name,
    Array.isArray(payload) ? payload.map(withNulls) : withNulls(payload),
  ]);
  return Object.fromEntries(objects);
}

function withNulls(value: unknown): unknown {
  if (Array.isArray(value)) return [null, ...value.map(withNulls)];
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withNulls(member)]));
}
