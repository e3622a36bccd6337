/** The dashboard and the tile of somebody else that alerts are about. */
export const home = { id: "aaaaaaaaaaaaaaaaaaaaaaa1", tileId: "aaaaaaaaaaaaaaaaaaaaaaa2" };
