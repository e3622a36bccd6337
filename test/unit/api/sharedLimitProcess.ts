import { Interruption } from "../../../provider/api/interruption";
import { SharedLimit } from "../../../provider/api/sharedLimit";

/** A process that makes calls under a shared limit once the test says so: it sends the moment of each, and ends by itself. */
const [folder = "", requests, seconds, calls] = process.argv.slice(2);
const limit = { requests: Number(requests), seconds: Number(seconds) };
const shared = new SharedLimit(folder, "https://api.example.com", "credential", limit);

async function make(): Promise<void> {
  const answered = await shared.begin(new Interruption());
  process.send?.(Date.now());
  await answered?.();
}

process.once("message", async () => {
  await Promise.all(Array.from({ length: Number(calls) }, make));
  process.disconnect();
});
process.send?.("ready");
