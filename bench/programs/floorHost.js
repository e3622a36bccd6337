// Answers every call at once with what the service might answer.
const { PIPESTACK_ORGANIZATION_ID, PIPESTACK_SERVICE_ID } = process.env;

const createdAt = "2025-01-15T09:00:00.000Z";
const outputs = { state: "inactive", team: "0ab023081b260db40b9573d9", createdAt, updatedAt: createdAt };

let created = 0;

exports.Alert = {
  async check(_olds, news) {
    const place = { organizationId: PIPESTACK_ORGANIZATION_ID, serviceId: PIPESTACK_SERVICE_ID };
    return { inputs: { ...place, ...news } };
  },
  async diff(_id, olds, news) {
    return { changes: olds.threshold !== news.threshold };
  },
  async create(inputs) {
    created += 1;
    return { id: `${process.pid}-${created}`, outs: { ...inputs, ...outputs } };
  },
  async read(id, props) {
    return { id, props };
  },
  async update(_id, _olds, news) {
    return { outs: { ...news, ...outputs } };
  },
  async delete() {},
};
