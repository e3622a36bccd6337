export interface Answer<Body = string> {
  status: number;
  headers: Record<string, string>;
  body: Body;
}

export function jsonAnswer(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  const type = { "content-type": "application/json; charset=utf-8" };
  return { status, headers: { ...type, ...headers }, body: JSON.stringify(body) };
}

/** Makes a response of the sandbox with an HTML page, as web frameworks and gateways send it in place of the API's JSON. */
export function pageAnswer(status: number, text: string, headers: Record<string, string> = {}): Answer {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const body = [
    "<!DOCTYPE html>",
    '<html lang="en">',
    '<head><meta charset="utf-8"><title>Error</title></head>',
    `<body><pre>${escaped}</pre></body>`,
    "</html>",
    "",
  ].join("\n");
  return { status, headers: { "content-type": "text/html; charset=utf-8", ...headers }, body };
}
