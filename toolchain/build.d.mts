/** Compiles a package when its sources are not those of its last build. */
export function buildWhenChanged(name: "provider" | "sandbox"): Promise<void>;
