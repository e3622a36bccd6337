// What a careful user writes with pulumi.dynamic.Resource and axios. Credentials come from the environment, so that the
// state does not hold them with the serialized code; only declared properties are sent and compared.
const pulumi = require("@pulumi/pulumi");

async function call(method, path, data) {
  // Pulumi cannot serialize a function that captures the module axios.
  const axios = require("axios");
  const { PIPESTACK_BASE_URL, PIPESTACK_ORGANIZATION_ID, PIPESTACK_KEY_ID, PIPESTACK_KEY_SECRET } =
    process.env;
  const url = `${PIPESTACK_BASE_URL}/v1/organizations/${PIPESTACK_ORGANIZATION_ID}${path}`;
  const auth = { username: PIPESTACK_KEY_ID, password: PIPESTACK_KEY_SECRET };
  const answer = await axios({ method, url, data, auth });
  return answer.data.result;
}

const alertsOf = (inputs) => `/services/${inputs.serviceId ?? process.env.PIPESTACK_SERVICE_ID}/stack/alerts`;

/** The properties to send, without the provider's code and the object's scope. */
function body(inputs) {
  const { __provider, serviceId, ...properties } = inputs;
  return properties;
}

class AlertProvider {
  async diff(_id, olds, news) {
    const names = Object.keys(body(news));
    return { changes: names.some((name) => JSON.stringify(olds[name]) !== JSON.stringify(news[name])) };
  }
  async create(inputs) {
    const { id, state } = await call("post", alertsOf(inputs), body(inputs));
    return { id, outs: { ...inputs, state } };
  }
  async read(id, props) {
    const live = await call("get", `${alertsOf(props)}/${id}`);
    const names = Object.keys(props).filter((name) => live[name] !== undefined && live[name] !== null);
    return { id, props: { ...props, ...Object.fromEntries(names.map((name) => [name, live[name]])) } };
  }
  async update(id, _olds, news) {
    const { state } = await call("put", `${alertsOf(news)}/${id}`, body(news));
    return { outs: { ...news, state } };
  }
  async delete(id, props) {
    await call("delete", `${alertsOf(props)}/${id}`);
  }
}

// One provider object for all alerts, as in Pulumi's documentation.
const provider = new AlertProvider();

exports.Alert = class extends pulumi.dynamic.Resource {
  constructor(name, args, opts) {
    super(provider, name, { state: undefined, ...args }, opts, "handwritten", "Alert");
  }
};
