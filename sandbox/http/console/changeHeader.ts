/** A page of another origin cannot send this header without a preflight request, which the console refuses. */
export const changeHeader = "x-sandbox-console";
