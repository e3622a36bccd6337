import { Type } from "@sinclair/typebox";
import { badRequest } from "../../core/apiError";
import type { Fault } from "../../core/faults/fault";
import type { Faults } from "../../core/faults/script";
import type { ApiServer } from "../../core/routeContext";

/** Sets a fault, clears one or clears all. */
export function faultRoutes(app: ApiServer, faults: Faults): void {
  app.post("/faults", async (request) => {
    // The fault script validates the fault.
    await faults.add(request.body as Fault).catch((error: Error) => {
      throw error instanceof TypeError ? badRequest(error.message) : error;
    });
    return {};
  });

  app.delete("/faults", async () => {
    await faults.clear();
    return {};
  });

  app.delete(
    "/faults/:id",
    { schema: { params: Type.Object({ id: Type.String({ pattern: "^\\d+$" }) }) } },
    async (request) => {
      await faults.clear(Number(request.params.id));
      return {};
    },
  );
}
