/**
 * The console's page adds this header to its requests for changes. A page of another origin cannot send it without a preflight
 * request, which the console refuses.
 */
export const changeHeader = "x-sandbox-console";
