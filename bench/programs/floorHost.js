// Keeps what it is given. BENCH_BUSY_MILLISECONDS is spent in each check and diff.
const busyMilliseconds = Number(process.env.BENCH_BUSY_MILLISECONDS ?? 0);

function beBusy() {
  const until = performance.now() + busyMilliseconds;
  while (performance.now() < until);
}

let created = 0;

const withTileIds = (inputs) =>
  inputs.tiles
    ? { ...inputs, tileIds: Object.fromEntries(inputs.tiles.map(({ name }) => [name, name])) }
    : inputs;

module.exports = {
  async check(_olds, news) {
    beBusy();
    return { inputs: news };
  },
  async diff() {
    beBusy();
    return { changes: false };
  },
  async create(inputs) {
    created += 1;
    return { id: `${process.pid}-${created}`, outs: withTileIds(inputs) };
  },
  async read(id, props) {
    return { id, props };
  },
  async update(_id, _olds, news) {
    return { outs: withTileIds(news) };
  },
  async delete() {},
};
