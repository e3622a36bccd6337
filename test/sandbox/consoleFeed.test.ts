import { once } from "node:events";
import http from "node:http";
import { expect } from "chai";
import { createSandbox } from "../../sandbox/index";
import { listen, own, useConsole } from "./consoleClient";
import { dashboard, send } from "./requests";

describe("sandbox: events of the console", () => {
  const tested = useConsole();

  it("tells an open page of each change and each request, and leaves its own out of the journal", async () => {
    const events = await listen(tested.url);
    expect(events.response.headers.get("content-type")).to.equal("text/event-stream");
    expect((await events.snapshot()).services[0]?.numReplicas).to.equal(3);
    expect(await events.requests()).to.deep.equal({ isReset: true, requests: [] });
    await tested.client.service("PATCH", "/scaling", { numReplicas: 5 });
    expect((await events.snapshot()).services[0]?.numReplicas).to.equal(5);
    const { isReset, requests } = await events.requests();
    expect(isReset).to.equal(false);
    expect(requests).to.have.length(1);
    expect(requests[0]).to.deep.include({ number: 1, method: "PATCH", status: 200, api: "management" });
    await send("PATCH", `${tested.service}/replicaScaling`, { numReplicas: 6 }, own);
    expect((await events.snapshot()).services[0]?.numReplicas).to.equal(6);
    expect(tested.client.sandbox.requests).to.have.length(1);
    // A change in the store that nobody has asked for is seen within a second.
    for (const one of tested.client.sandbox.store.services.values()) one.numReplicas = 7;
    expect((await events.snapshot()).services[0]?.numReplicas).to.equal(7);
    await tested.client.sandbox.reset();
    expect(await events.requests()).to.deep.equal({ isReset: true, requests: [] });
    events.leave();
  });

  it("goes on where a page was when it connects again, and sends the newest 200 requests at most", async () => {
    for (let number = 0; number < 210; number += 1) await tested.client.observability("GET", "/alerts");
    const events = await listen(tested.url);
    const { requests } = await events.requests();
    expect(requests.map(({ number }) => number)).to.deep.equal(
      Array.from({ length: 200 }, (_, index) => index + 11),
    );
    events.leave();
    await tested.client.observability("GET", "/dashboards");
    const again = await listen(tested.url, { "last-event-id": "210" });
    expect((await again.requests()).requests.map(({ number }) => number)).to.deep.equal([211]);
    again.leave();
    const restarted = await listen(tested.url, { "last-event-id": "9999" });
    expect((await restarted.requests()).isReset).to.equal(true);
    restarted.leave();
  });

  it("keeps nothing for a page that does not read, and sends it the newest when it does", async () => {
    const megabytes = 2_000_000;
    const { body } = await tested.client.service("POST", "/stack/dashboards", {
      ...dashboard,
      name: "x".repeat(megabytes),
    });
    const record = tested.client.sandbox.store.dashboards.get(body.result.id);
    const quick = await listen(tested.url);
    await quick.snapshot();
    const slow = http.get(`${tested.url}/events`);
    const [response] = (await once(slow, "response")) as [http.IncomingMessage];
    const changes = 15;
    for (let change = 1; change <= changes; change += 1) {
      if (record) record.tags = [`change ${change}`];
      await tested.client.observability("GET", "/alerts");
      // What this page has was sent to the other one, too.
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

  it("closes with the sandbox, also while a page is open", async () => {
    const other = await createSandbox({ consolePort: 0 });
    const events = await listen(other.consoleUrl);
    const ended = (async () => {
      for (;;) await events.snapshot();
    })().catch((error) => error);
    await other.close();
    expect(await ended).to.be.an("error");
  });
});
