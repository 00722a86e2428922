import { signal, type Signal } from '@preact/signals';
import { Unreachable, type Client } from 'ringmaster-client';
import { saying } from '../text/words.ts';
import { recallPictures, storePictures } from './album.ts';
import { admit, base64, look, type Picture } from './picture.ts';

/** What somebody is writing to one session. Its key was made when it was begun: sent twice it is one prompt. */
export interface Draft {
  text: string;
  pictures: readonly Picture[];
  key: string;
  /** It is on its way. */
  isSending: boolean;
  /** Its images are being read from this browser's storage: without them it would be another prompt. */
  isReading: boolean;
  /** Why it has not gone, or what does not go with it. */
  error: string;
  /** It was sent, and may have come through: with another content it is another prompt. */
  wasSent: boolean;
}

/** How long the event of a prompt that the daemon has accepted is waited for, in milliseconds. */
const logWithin = 5000;

const place = (id: string): string => `ringmaster.draft.${id}`;
const fresh = (): Draft => ({ text: '', pictures: [], key: newKey(), isSending: false, isReading: false, error: '', wasSent: false });

/** The drafts of all sessions, kept in this origin's storage until the log has them. */
export class Drafts {
  readonly #drafts = new Map<string, Signal<Draft>>();

  constructor() {
    addEventListener('storage', ({ key }) => {
      for (const [id, draft] of this.#drafts) {
        if ((key === null || key === place(id)) && !draft.peek().isSending) {
          this.#recall(id, draft); // another tab has written on, sent it, or forgotten all
        }
      }
    });
  }

  /** The session is there no more, and its draft goes with it. */
  gone(id: string): void {
    this.#drop(id, this.of(id));
    this.#drafts.delete(id);
  }

  #drop(id: string, draft: Signal<Draft>): void {
    if (draft.peek().isReading || draft.peek().pictures.length > 0) {
      void storePictures(id, []);
    }
    draft.value = fresh();
    store(id, draft.peek());
  }

  /** Forgets what was written; the storage is somebody else's business. */
  forget(): void {
    this.#drafts.clear();
  }

  of(id: string): Signal<Draft> {
    let draft = this.#drafts.get(id);
    if (draft === undefined) {
      this.#drafts.set(id, (draft = signal(fresh())));
      this.#recall(id, draft);
    }
    return draft;
  }

  /** Takes the draft as it is stored, and then its images. */
  #recall(id: string, draft: Signal<Draft>): void {
    const stored = recall(id);
    draft.value = stored;
    if (stored.isReading) {
      void recallPictures(id).then((pictures) => {
        if (draft.peek() === stored) { // else it is another one by now, which has its own
          // Where the browser has lost them, what is left is another prompt.
          draft.value = { ...stored, pictures, isReading: false, ...(pictures.length === 0 ? { key: newKey() } : {}) };
        }
      });
    }
  }

  write(id: string, text: string): void {
    this.#change(id, { text });
  }

  /** Adds those of some files that the daemon would take. */
  async attach(id: string, files: readonly File[]): Promise<void> {
    const looked = await look(files); // others may come and go meanwhile
    const held = this.of(id).peek().pictures;
    const { pictures, why } = admit(held, looked);
    this.#change(id, pictures.length === held.length ? {} : { pictures }, why);
  }

  detach(id: string, picture: Picture, why = ''): void {
    this.#change(id, { pictures: this.of(id).peek().pictures.filter((p) => p !== picture) }, why);
  }

  #change(id: string, part: Partial<Pick<Draft, 'text' | 'pictures'>>, error = ''): void {
    const draft = this.of(id);
    const was = draft.peek();
    if (was.isSending || was.isReading) {
      return; // with another content it would be another prompt than the one that is on its way, or that is stored
    }
    const isOther = (part.text !== undefined && part.text !== was.text) || part.pictures !== undefined;
    const isNew = was.wasSent && isOther;
    draft.value = { ...was, ...part, key: isNew ? newKey() : was.key, wasSent: was.wasSent && !isNew, error };
    store(id, draft.peek());
    if (part.pictures !== undefined) {
      void storePictures(id, part.pictures);
    }
  }

  async send(client: Client, id: string, behavior: 'steer' | 'followUp' | undefined): Promise<void> {
    const draft = this.of(id);
    const sent = draft.peek();
    const { text, key, pictures } = sent;
    if (sent.isSending || sent.isReading || (text.trim() === '' && pictures.length === 0)) {
      return;
    }
    draft.value = { ...sent, isSending: true, wasSent: true, error: '' };
    try {
      const images = await Promise.all(pictures.map(async (p) => ({ mediaType: p.type, data: await base64(p.blob) })));
      const { repeated } = await client.prompt(id, { ...(text === '' ? {} : { text }), ...(images.length === 0 ? {} : { images }), ...(behavior === undefined ? {} : { streamingBehavior: behavior }) }, { key });
      if (repeated) {
        this.taken(id, key); // the log had it before this page read on
      } else {
        setTimeout(() => this.taken(id, key), logWithin); // the daemon has it in its log; a state may have stood for the event that says so
      }
    } catch (error) {
      if (draft.peek().key === key) {
        const why = error instanceof Unreachable ? 'The daemon does not answer. The draft is kept here; sent again, it is one prompt.' : saying(error);
        draft.value = { ...draft.peek(), isSending: false, error: why };
      }
    }
  }

  /** The log has a prompt with this key: the draft is over. */
  taken(id: string, key: string | undefined): void {
    const draft = this.of(id);
    if (key !== draft.peek().key) {
      return;
    }
    if (recall(id).key === key) {
      this.#drop(id, draft);
    } else {
      this.#recall(id, draft); // another tab has begun the next one, or taken this one away
    }
  }
}

/** A key of idempotency. */
export function newKey(): string {
  return `page-${crypto.getRandomValues(new Uint32Array(4)).reduce((text, n) => text + n.toString(16).padStart(8, '0'), '')}`;
}

function recall(id: string): Draft {
  try {
    const { text, key, pictures } = JSON.parse(localStorage.getItem(place(id)) ?? '{}') as { text?: unknown; key?: unknown; pictures?: unknown };
    if (typeof text === 'string' && typeof key === 'string') {
      // It may have been sent before the page was closed.
      return { ...fresh(), text, key, isReading: typeof pictures === 'number' && pictures > 0, wasSent: true };
    }
  } catch {
    // a new one
  }
  return fresh();
}

function store(id: string, { text, key, pictures }: Draft): void {
  try {
    if (text === '' && pictures.length === 0) {
      localStorage.removeItem(place(id));
    } else {
      localStorage.setItem(place(id), JSON.stringify({ text, key, ...(pictures.length === 0 ? {} : { pictures: pictures.length }) }));
    }
  } catch {
    // until the page is closed
  }
}
