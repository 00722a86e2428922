/** The one policy of this page under Trusted Types: addresses of its two workers, and nothing else. */
interface Policies {
  createPolicy(name: string, rules: { createScriptURL: (text: string) => string }): { createScriptURL(text: string): string };
}

const rules = {
  createScriptURL: (text: string): string => {
    if (text !== '/sw.js' && !/^\/assets\/[0-9a-f]{16}-worker\.js$/.test(text)) {
      throw new TypeError('this is no worker of this page');
    }
    return text;
  },
};

const policies = (globalThis as { trustedTypes?: Policies }).trustedTypes;

/** Gives the addresses of workers, which browsers with Trusted Types take from this policy alone. */
export const workers = policies?.createPolicy('ringmaster', rules) ?? rules;
