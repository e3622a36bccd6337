/** The ids of a dashboard of another person and of its tile, which the alerts of the tests watch. */
export const home = { id: "aaaaaaaaaaaaaaaaaaaaaaa1", tileId: "aaaaaaaaaaaaaaaaaaaaaaa2" };
