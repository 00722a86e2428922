/** An image that goes with a prompt. */
export interface Picture {
  name: string;
  type: PictureType;
  blob: Blob;
}

export type PictureType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

/** What the daemon takes (GET /openapi.json, createPrompt). */
export const limits = { count: 8, bytes: 10 << 20, body: 40 << 20, pixels: 50 << 20 } as const;

/** What can be picked from a list of files. */
export const accepted = 'image/png,image/jpeg,image/gif,image/webp';

/** The kind of an image by its first bytes, as the daemon looks at it: a name or a browser may be wrong. */
export function typeOf(head: Uint8Array): PictureType | undefined {
  const is = (at: number, ...bytes: number[]): boolean => bytes.every((b, i) => head[at + i] === b);
  if (is(0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) {
    return 'image/png';
  }
  if (is(0, 0xff, 0xd8, 0xff)) {
    return 'image/jpeg';
  }
  if (is(0, 0x47, 0x49, 0x46, 0x38)) {
    return 'image/gif';
  }
  return is(0, 0x52, 0x49, 0x46, 0x46) && is(8, 0x57, 0x45, 0x42, 0x50) ? 'image/webp' : undefined;
}

/** Whether one more goes with those that are held; else why not. */
export function refusal(held: readonly { blob: { size: number } }[], next: { name: string; size: number }, type: PictureType | undefined): string {
  const name = next.name === '' ? 'The image' : `“${next.name}”`;
  if (type === undefined) {
    return `${name} is no PNG, JPEG, GIF or WebP.`;
  }
  if (held.length >= limits.count) {
    return `A prompt takes ${limits.count} images.`;
  }
  if (next.size > limits.bytes) {
    return `${name} has ${mebi(next.size)} MiB; one image may have ${mebi(limits.bytes)}.`;
  }
  const inAll = held.reduce((sum, p) => sum + p.blob.size, next.size);
  if (Math.ceil(inAll / 3) * 4 > limits.body - (1 << 20)) { // in base64, with a MiB for the text
    return `With ${name} the images have ${mebi(inAll)} MiB; all of a prompt may have ${mebi(((limits.body - (1 << 20)) / 4) * 3)}.`;
  }
  return '';
}

function mebi(bytes: number): string {
  return (bytes / (1 << 20)).toFixed(bytes % (1 << 20) === 0 ? 0 : 1);
}

/** A file, and what kind of image it is. */
export interface Looked {
  file: File;
  type: PictureType | undefined;
}

/** Looks at the first bytes of files. */
export function look(files: readonly File[]): Promise<Looked[]> {
  return Promise.all(files.map(async (file) => ({ file, type: typeOf(new Uint8Array(await file.slice(0, 16).arrayBuffer())) })));
}

/** Takes those of some files that go with what is held, and says of the first other one why it does not. */
export function admit(held: readonly Picture[], files: readonly Looked[]): { pictures: Picture[]; why: string } {
  const pictures = [...held];
  let why = '';
  for (const { file, type } of files) {
    const no = refusal(pictures, file, type);
    if (no !== '' || type === undefined) {
      why ||= no;
    } else {
      pictures.push({ name: file.name, type, blob: file.slice(0, file.size, type) });
    }
  }
  return { pictures, why };
}

/** The bytes of an image in base64. */
export function base64(blob: Blob): Promise<string> {
  return new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done((reader.result as string).replace(/^[^,]*,/, ''));
    reader.onerror = () => failed(reader.error ?? new Error('the image cannot be read'));
    reader.readAsDataURL(blob);
  });
}
