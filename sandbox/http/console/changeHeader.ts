/**
 * The header that changes by the console's page carry. A page of another origin cannot send it without a preflight request,
 * which the console refuses.
 */
export const changeHeader = "x-sandbox-console";
