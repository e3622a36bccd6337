import { Type } from "@sinclair/typebox";
import { badRequest } from "../apiError";
import type { Fault } from "../faults/fault";
import type { Faults } from "../faults/script";
import type { Listener } from "../listener";

/** Sets a fault, clears one, and clears all. */
export function faultRoutes(app: Listener, faults: Faults): void {
  app.post("/faults", async (request) => {
    // The script checks what it is given, and says what is wrong with it.
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
