/** The noun for dashboards and the operations on them, for those who look at one without knowing what it is made of. */
export const dashboardCollection = {
  type: "Dashboard",
  noun: "dashboard",
  operations: {
    create: "createDashboard",
    list: "listDashboards",
    get: "getDashboard",
    update: "updateDashboard",
    delete: "deleteDashboard",
  },
  // The shape of some answers is not documented: they may leave out the tiles.
  sureMember: "tiles",
} as const;
