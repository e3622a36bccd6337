/**
 * The noun for dashboards and their operations, for alerts that look at a dashboard. This file avoids a cycle of
 * imports with the full definition.
 */
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
  // Some answers may omit the tiles (their form is not documented), so an answer without tiles shows only a part.
  sureMember: "tiles",
} as const;
