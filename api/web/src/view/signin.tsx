import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { trade, useToken } from '../login/trade.ts';
import { plain } from '../text/words.ts';

/** Nobody is logged in. */
export function SignIn({ notice }: { notice: string }): JSX.Element {
  const token = useSignal('');
  const error = useSignal('');
  const busy = useSignal(false);
  return (
    <main class="gate" id="out">
      <h1>Ringmaster</h1>
      {notice === '' ? null : <p class="notice" role="status" id="notice">{plain(notice)}</p>}
      <p>You are not logged in. Run this in a terminal of the daemon’s user; it opens this page logged in:</p>
      <pre class="command">ringmaster web</pre>
      <details>
        <summary>Log in with a token</summary>
        <form
          onSubmit={(e) => {
            e.preventDefault();
            busy.value = true;
            void useToken(token.peek().trim()).then((why) => {
              busy.value = false;
              error.value = why;
            });
          }}
        >
          <label><span>Token, as <code>ringmaster token create</code> gives it</span>
            <input type="password" autocomplete="off" spellcheck={false} value={token.value} onInput={(e) => { token.value = e.currentTarget.value; }} />
          </label>
          {error.value === '' ? null : <p class="error" role="alert">{plain(error.value)}</p>}
          <button class="primary" disabled={busy.value || token.value.trim() === ''}>Log in</button>
        </form>
      </details>
    </main>
  );
}

/** A link of another site has led here with a code. */
export function Stranger({ done }: { done: (why: string) => void }): JSX.Element {
  const busy = useSignal(false);
  return (
    <main class="gate" id="link">
      <h1>Log in with this link?</h1>
      <p>A link from elsewhere would log this browser in. Go on only if you asked for it: whoever made the link sees what you do here.</p>
      <p class="answers">
        <button
          id="trade" type="button" class="primary" disabled={busy.value}
          onClick={() => {
            busy.value = true;
            void trade().then(done);
          }}
        >Log in with this link</button>
        <button type="button" onClick={() => done('')}>No</button>
      </p>
    </main>
  );
}
