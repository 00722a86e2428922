// An answer that never ends would keep "Execute" busy for ever, and a page has no unix socket: such operations are shown, and not tried.
const untried = () => ({
  statePlugins: { spec: { wrapSelectors: { allowTryItOutFor: (before, { specSelectors }) => (state, path, method) =>
    !specSelectors.specJson().getIn(["paths", path, method, "x-not-in-browser"]) && before(state, path, method) } } },
});

const ui = SwaggerUIBundle({
  url: "/openapi.json", dom_id: "#app", deepLinking: true, validatorUrl: null, plugins: [untried],
  requestInterceptor: (request) => { // MCP wants both; a page can choose one
    if (new URL(request.url, location).pathname === "/mcp") request.headers.Accept = "application/json, text/event-stream";
    return request;
  },
  onComplete: async () => { // who has given the browser the token is not asked for it again
    const token = await (await fetch("/docs/token")).text();
    if (token) ui.preauthorizeApiKey("bearer", token);
  },
});
