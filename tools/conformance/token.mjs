// Preloaded into the conformance suite, which cannot send a token: its requests to the daemon get it, whichever of its three
// HTTP clients makes them. The daemon's guard stands as ever.
import http from "node:http";

const { RINGMASTER_URL: url, RINGMASTER_TOKEN: token, RINGMASTER_UNDICI: undici } = process.env;
const authorization = `Bearer ${token}`;
const { host } = new URL(url);

const fetched = globalThis.fetch;
globalThis.fetch = (to, init = {}) => {
  if (new URL(to?.url ?? to).host !== host) return fetched(to, init);
  const headers = new Headers(init.headers ?? to?.headers);
  headers.set("authorization", authorization);
  return fetched(to, { ...init, headers });
};

const requested = http.request;
http.request = (...args) => {
  const request = requested(...args);
  if (`${args[0]?.hostname}:${args[0]?.port}` === host) request.setHeader("authorization", authorization);
  return request;
};

const { getGlobalDispatcher, setGlobalDispatcher } = await import(undici);
setGlobalDispatcher(getGlobalDispatcher().compose((dispatch) => (opts, handler) => {
  if (String(opts.origin) === url && Object.getPrototypeOf(opts.headers ?? {}) === Object.prototype) {
    opts = { ...opts, headers: { ...opts.headers, authorization } };
  }
  return dispatch(opts, handler);
}));
