import type { SettingName } from "../../api/settingsSchema";

/** Key of a setting in stack configuration. */
export const stackKey = (name: SettingName) => `pipestack:${name}`;

/** Key of a setting that was given to an explicit provider, which no stack configuration may override. */
export const explicitKey = (name: SettingName) => `pipestack-provider:${name}`;
