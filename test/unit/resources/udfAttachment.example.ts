import { type Example, organizationId, serviceId } from "./example";
import { addUdf } from "./udf.example";

const functionName = "attachable";

export const udfAttachmentExample: Example = {
  valid: { organizationId, serviceId, functionName, version: 1, wakeService: true, waitMinutes: 5 },
  wholes: { "of a version": { functionName, version: 1 }, "of the newest": { functionName } },
  programs: () => [
    { functionName, version: 1 },
    { functionName, version: 2 },
  ],
  bodyOf: ({ functionName: _, ...body }) => body,
  find: ({ store }, id) => store.udfAttachments.get(id),
  furnish({ sandbox }) {
    addUdf(sandbox, { functionName });
    const [udf] = [...sandbox.store.udfs.values()].filter(({ id }) => id === functionName);
    if (!udf) return;
    const { id: _, older: __, ...first } = udf;
    addUdf(sandbox, { functionName, version: 2, older: [first] });
  },
};
