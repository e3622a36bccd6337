/** The ids of a dashboard and its tile that belong to somebody else. The alerts of the tests watch this tile. */
export const home = { id: "aaaaaaaaaaaaaaaaaaaaaaa1", tileId: "aaaaaaaaaaaaaaaaaaaaaaa2" };
