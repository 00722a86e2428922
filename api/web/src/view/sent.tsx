import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { saying } from '../text/words.ts';
import { useFeed } from './context.ts';

const form = /^sha256:([0-9a-f]{64});(image\/(?:png|jpeg|gif|webp))$/;

/** Images that a prompt had. Each is fetched when somebody asks for it: a log may have many. */
export function Sent({ session, images }: { session: string; images: readonly string[] }): JSX.Element {
  return <p class="sent">{images.map((image, i) => <One key={i} session={session} image={image} number={i + 1} />)}</p>;
}

function One({ session, image, number }: { session: string; image: string; number: number }): JSX.Element {
  const feed = useFeed();
  const url = useSignal('');
  const why = useSignal('');
  const isBusy = useSignal(false);
  useEffect(() => () => {
    if (url.peek() !== '') {
      URL.revokeObjectURL(url.peek());
    }
  }, []);
  const show = async (): Promise<void> => {
    const [, digest, type] = form.exec(image) ?? [];
    if (digest === undefined) {
      why.value = 'The log names an image in a way that this page does not know.';
      return;
    }
    isBusy.value = true;
    why.value = '';
    try {
      const bytes = await (await feed.client.session(session).image(digest)).arrayBuffer();
      url.value = URL.createObjectURL(new Blob([bytes], { type: type! })); // of the kind that the log says, whatever the answer's is
    } catch (error) {
      why.value = saying(error);
    }
    isBusy.value = false;
  };
  if (url.value !== '') {
    return <img class="picture" src={url.value} alt={`Image ${number} of this prompt`} />;
  }
  return <><button type="button" class="small" disabled={isBusy.value} onClick={() => void show()}>{isBusy.value ? 'Fetching…' : `Show image ${number}`}</button>{why.value === '' ? null : <span class="error" role="alert">{why.value}</span>}</>;
}
