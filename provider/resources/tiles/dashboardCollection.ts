/**
 * The name of the dashboard resource and its API operations, for the code of alerts. This file exists since the alert's
 * definition and the dashboard's full definition would otherwise import each other.
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
  // Answers of the API may omit the tiles, since their form is not documented. So an answer without tiles shows only a part of
  // the dashboard.
  completenessField: "tiles",
} as const;
