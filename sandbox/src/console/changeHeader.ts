/** A header that a page of another origin cannot send without asking first, which it is refused. */
export const changeHeader = "x-sandbox-console";
