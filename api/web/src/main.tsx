import { hasCode, isFromElsewhere, takeCode } from './login/code.ts'; // first: it takes the code out of the address
import { useSignal } from '@preact/signals';
import { render, type JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { Drafts } from './live/draft.ts';
import { Feed } from './live/feed.ts';
import { followLinks } from './live/panes.ts';
import { forgetSeen } from './live/seen.ts';
import { isOver, login } from './login/kept.ts';
import { removeKept } from './login/forget.ts';
import { forget, hasLeft, leave, trade } from './login/trade.ts';
import { keepPage } from './live/offline.ts';
import { AroundContext } from './view/context.ts';
import { Shell } from './view/shell.tsx';
import { SignIn, Stranger } from './view/signin.tsx';

const drafts = new Drafts();

function Page({ begin }: { begin: 'stranger' | 'trade' | 'rest' }): JSX.Element {
  const stage = useSignal(begin);
  const notice = useSignal('');
  useEffect(() => {
    if (begin === 'trade') {
      void trade().then((why) => {
        notice.value = why;
        stage.value = 'rest';
      });
    }
  }, []);
  if (stage.value === 'trade') {
    return <main class="gate"><h1>Ringmaster</h1><p role="status">Logging in…</p></main>;
  }
  if (stage.value === 'stranger') {
    return <Stranger done={(why) => {
      takeCode();
      notice.value = why;
      stage.value = 'rest';
    }} />;
  }
  const token = login.value?.token;
  if (token === undefined) {
    return <SignIn notice={notice.value} />;
  }
  return <In key={token} token={token} notice={notice.value} say={(why) => { notice.value = why; }} />;
}

function In({ token, notice, say }: { token: string; notice: string; say: (why: string) => void }): JSX.Element {
  const feed = useMemo(() => {
    const all = new Feed(token, 'page', (why, over) => {
      if (over && hasLeft(token)) {
        return;
      }
      say(why);
      if (over) {
        isOver(token);
        if (login.peek() === null) {
          void removeKept(); // with the token its folder is worthless
        }
      }
    });
    all.onGone = (id) => drafts.gone(id);
    return all;
  }, [token]);
  useEffect(() => {
    keepPage();
    return () => void feed.close();
  }, [feed]);
  return (
    <AroundContext.Provider value={{ feed, drafts }}>
      <Shell notice={notice} leave={() => void leave().then(say)} forget={async () => {
        const said = await forget();
        drafts.forget();
        forgetSeen();
        say(said);
      }} />
    </AroundContext.Provider>
  );
}

followLinks();
if (login.peek() === null) {
  void removeKept(); // of a login that is over
}
render(<Page begin={!hasCode() ? 'rest' : isFromElsewhere ? 'stranger' : 'trade'} />, document.getElementById('page')!);
