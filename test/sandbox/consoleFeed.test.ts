import { once } from "node:events";
import http from "node:http";
import { expect } from "chai";
import { createSandbox } from "../../sandbox/index";
import { consoleHeader, listen, useConsole } from "./consoleClient";
import { dashboard, send } from "./requests";

describe("Events that the sandbox's console sends to its open pages", () => {
  const tested = useConsole();

  it("the console sends an open page each change and each request, but not requests of the page itself", async () => {
    const { client } = tested;
    const events = await listen(tested.url);
    const replicas = async () => (await events.snapshot()).services[0]?.numReplicas;
    expect(events.response.headers.get("content-type")).to.equal("text/event-stream");
    expect(await replicas()).to.equal(3);
    expect(await events.requests()).to.deep.equal({ isReset: true, requests: [] });
    await client.service("PATCH", "/scaling", { numReplicas: 5 });
    expect(await replicas()).to.equal(5);
    const { isReset, requests } = await events.requests();
    expect([isReset, requests.length]).to.deep.equal([false, 1]);
    expect(requests[0]).to.deep.include({ number: 1, method: "PATCH", status: 200, api: "management" });
    await send("PATCH", `${tested.service}/replicaScaling`, { numReplicas: 6 }, consoleHeader);
    expect(await replicas()).to.equal(6);
    expect(client.sandbox.requests).to.have.length(1);
    // The test changes the sandbox's store directly, without a request. The console notices such a change within a second.
    for (const one of client.sandbox.store.services.values()) one.numReplicas = 7;
    expect(await replicas()).to.equal(7);
    await client.sandbox.reset();
    expect(await events.requests()).to.deep.equal({ isReset: true, requests: [] });
    events.leave();
  });

  it("a page that connects gets the requests that it lacks, at most the newest 200", async () => {
    for (let number = 0; number < 211; number += 1) await tested.client.observability("GET", "/alerts");
    for (const [last, first, isReset] of [
      ["0", 12, true],
      ["210", 211, false],
      ["9999", 12, true],
    ] as const) {
      const events = await listen(tested.url, { "last-event-id": last });
      const news = await events.requests();
      const numbers = Array.from({ length: 212 - first }, (_, index) => first + index);
      expect(news.isReset).to.equal(isReset);
      expect(news.requests.map(({ number }) => number)).to.deep.equal(numbers);
      events.leave();
    }
  });

  it("the console drops events for a page that has stopped reading, and later sends it only the newest", async () => {
    const megabytes = 2_000_000;
    const body = { ...dashboard, name: "x".repeat(megabytes) };
    const { id } = (await tested.client.service("POST", "/stack/dashboards", body)).payload;
    const record = tested.client.sandbox.store.dashboards.get(id);
    const quick = await listen(tested.url);
    await quick.snapshot();
    const slow = http.get(`${tested.url}/events`);
    const [response] = (await once(slow, "response")) as [http.IncomingMessage];
    const changes = 15;
    for (let change = 1; change <= changes; change += 1) {
      Object.assign(record ?? {}, { tags: [`change ${change}`] });
      await tested.client.observability("GET", "/alerts");
      // Once the page that reads all events has received a change, the console has sent the change to the page that does not
      // read, too.
      while ((await quick.snapshot()).dashboards[0]?.tags[0] !== `change ${change}`);
    }
    quick.leave();
    let received = 0;
    let tail = "";
    for await (const chunk of response) {
      received += chunk.length;
      tail = tail.slice(-100) + chunk;
      if (tail.includes(`"change ${changes}"`)) break;
    }
    slow.destroy();
    expect(received).to.be.below((changes / 2) * megabytes);
  });

  it("closing a sandbox ends the events of open pages", async () => {
    const other = await createSandbox({ consolePort: 0 });
    const events = await listen(other.consoleUrl);
    const ended = (async () => {
      for (;;) await events.snapshot();
    })().catch((error) => error);
    await other.close();
    expect(await ended).to.be.an("error");
  });
});
