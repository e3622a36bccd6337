/** Which browser playwright-core is to launch; spread it into the options of `chromium.launch`. */
export function installedChromium(): { executablePath: string } | { channel: "chrome" };
