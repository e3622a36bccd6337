// What a careful user writes with pulumi.dynamic.Resource and axios. Credentials come from the environment, so that the
// state does not hold them with the serialized code; only declared properties are sent and compared; a request that
// exceeds the rate limit is repeated.
const pulumi = require("@pulumi/pulumi");

async function call(method, path, data) {
  // Pulumi cannot serialize a function that captures the module axios.
  const axios = require("axios");
  const { PIPESTACK_BASE_URL, PIPESTACK_ORGANIZATION_ID, PIPESTACK_KEY_ID, PIPESTACK_KEY_SECRET } =
    process.env;
  const url = `${PIPESTACK_BASE_URL}/v1/organizations/${PIPESTACK_ORGANIZATION_ID}${path}`;
  const auth = { username: PIPESTACK_KEY_ID, password: PIPESTACK_KEY_SECRET };
  for (;;) {
    const {
      status,
      headers,
      data: answer,
    } = await axios({
      method,
      url,
      data,
      auth,
      validateStatus: (code) => code === 429 || code < 300,
    });
    if (status !== 429) return answer.result;
    await new Promise((resolve) => setTimeout(resolve, Number(headers["x-ratelimit-reset"]) * 1000));
  }
}

const serviceOf = (inputs) => `/services/${inputs.serviceId ?? process.env.PIPESTACK_SERVICE_ID}`;

/** The properties to send, without the provider's code and the object's scope. */
function body(inputs) {
  const { __provider, serviceId, ...sent } = inputs;
  return sent;
}

/** The declared properties with the service's values. */
function refreshed(props, found) {
  const names = Object.keys(props).filter((name) => found[name] !== undefined && found[name] !== null);
  return { ...props, ...Object.fromEntries(names.map((name) => [name, found[name]])) };
}

function compared(olds, news) {
  const names = Object.keys(body(news));
  return { changes: names.some((name) => JSON.stringify(olds[name]) !== JSON.stringify(news[name])) };
}

class AlertProvider {
  async diff(_id, olds, news) {
    return compared(olds, news);
  }
  async create(inputs) {
    const { id, state } = await call("post", `${serviceOf(inputs)}/stack/alerts`, body(inputs));
    return { id, outs: { ...inputs, state } };
  }
  async read(id, props) {
    return { id, props: refreshed(props, await call("get", `${serviceOf(props)}/stack/alerts/${id}`)) };
  }
  async update(id, _olds, news) {
    const { state } = await call("put", `${serviceOf(news)}/stack/alerts/${id}`, body(news));
    return { outs: { ...news, state } };
  }
  async delete(id, props) {
    await call("delete", `${serviceOf(props)}/stack/alerts/${id}`);
  }
}

class DashboardProvider {
  async diff(_id, olds, news) {
    return compared(olds, news);
  }
  async create(inputs) {
    const { id, tiles } = await call("post", `${serviceOf(inputs)}/stack/dashboards`, body(inputs));
    return {
      id,
      outs: { ...inputs, tileIds: Object.fromEntries(tiles.map((tile) => [tile.name, tile.id])) },
    };
  }
  async read(id, props) {
    const { tiles, ...found } = await call("get", `${serviceOf(props)}/stack/dashboards/${id}`);
    return { id, props: refreshed(props, { ...found, tiles: tiles.map(({ id: _, ...tile }) => tile) }) };
  }
  async update(id, _olds, news) {
    const { tiles } = await call("put", `${serviceOf(news)}/stack/dashboards/${id}`, body(news));
    return { outs: { ...news, tileIds: Object.fromEntries(tiles.map((tile) => [tile.name, tile.id])) } };
  }
  async delete(id, props) {
    await call("delete", `${serviceOf(props)}/stack/dashboards/${id}`);
  }
}

class ApiKeyProvider {
  async diff(_id, olds, news) {
    return compared(olds, news);
  }
  async create(inputs) {
    const { key, keyId, keySecret } = await call("post", "/keys", body(inputs));
    return { id: key.id, outs: { ...inputs, keyId, keySecret } };
  }
  async read(id, props) {
    return { id, props: refreshed(props, await call("get", `/keys/${id}`)) };
  }
  async update(id, olds, news) {
    await call("patch", `/keys/${id}`, body(news));
    return { outs: { ...olds, ...news } };
  }
  async delete(id) {
    await call("delete", `/keys/${id}`);
  }
}

class QueryEndpointProvider {
  async diff(_id, olds, news) {
    return compared(olds, news);
  }
  async create(inputs) {
    await call("post", `${serviceOf(inputs)}/serviceQueryEndpoint`, body(inputs));
    return { id: inputs.serviceId, outs: inputs };
  }
  async read(id, props) {
    return { id, props: refreshed(props, await call("get", `${serviceOf(props)}/serviceQueryEndpoint`)) };
  }
  async update(_id, _olds, news) {
    await call("post", `${serviceOf(news)}/serviceQueryEndpoint`, body(news));
    return { outs: news };
  }
  async delete(_id, props) {
    await call("delete", `${serviceOf(props)}/serviceQueryEndpoint`);
  }
}

class ServiceScalingProvider {
  async diff(_id, olds, news) {
    return compared(olds, news);
  }
  async create(inputs) {
    await call("patch", `${serviceOf(inputs)}/scaling`, body(inputs));
    return { id: inputs.serviceId, outs: inputs };
  }
  async read(id, props) {
    return { id, props: refreshed(props, await call("get", serviceOf(props))) };
  }
  async update(_id, _olds, news) {
    await call("patch", `${serviceOf(news)}/scaling`, body(news));
    return { outs: news };
  }
  async delete() {}
}

/** The resource classes. `providersOf` returns how each gets its provider object: always the same, or a new one. */
exports.resources = (providersOf) => {
  const resource = (type, Provider, outputs) => {
    const next = providersOf(Provider);
    return class extends pulumi.dynamic.Resource {
      constructor(name, args, opts) {
        super(next(), name, { ...outputs, ...args }, opts, "handwritten", type);
      }
    };
  };
  return {
    Alert: resource("Alert", AlertProvider, { state: undefined }),
    ApiKey: resource("ApiKey", ApiKeyProvider, { keyId: undefined, keySecret: undefined }),
    Dashboard: resource("Dashboard", DashboardProvider, { tileIds: undefined }),
    QueryEndpoint: resource("QueryEndpoint", QueryEndpointProvider),
    ServiceScaling: resource("ServiceScaling", ServiceScalingProvider),
  };
};
