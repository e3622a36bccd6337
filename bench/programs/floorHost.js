// Answers at once what the service might answer.
const { PIPESTACK_ORGANIZATION_ID, PIPESTACK_SERVICE_ID } = process.env;

let created = 0;

const provider = (outputs) => ({
  async check(_olds, news) {
    const place = { organizationId: PIPESTACK_ORGANIZATION_ID, serviceId: PIPESTACK_SERVICE_ID };
    return { inputs: { ...place, ...news } };
  },
  async diff(_id, olds, news) {
    return { changes: olds.threshold !== news.threshold };
  },
  async create(inputs) {
    created += 1;
    return { id: `${process.pid}-${created}`, outs: { ...inputs, ...outputs(inputs) } };
  },
  async read(id, props) {
    return { id, props };
  },
  async update(_id, _olds, news) {
    return { outs: { ...news, ...outputs(news) } };
  },
  async delete() {},
});

const createdAt = "2025-01-15T09:00:00.000Z";
const identifier = "0ab023081b260db40b9573d9";

exports.Alert = provider(() => ({ state: "inactive", team: identifier, createdAt, updatedAt: createdAt }));
exports.ApiKey = provider(() => ({ state: "enabled", keyId: identifier, keySecret: identifier, createdAt }));
exports.Dashboard = provider(({ tiles }) => ({
  tileIds: Object.fromEntries(tiles.map(({ name }) => [name, identifier])),
}));
exports.QueryEndpoint = provider(() => ({ endpointId: identifier }));
exports.ServiceScaling = provider(() => ({
  name: identifier,
  engineVersion: "25.6",
  endpoints: [{ protocol: "https", host: "reporting.example.com", port: 8443, username: "default" }],
  createdAt,
}));
