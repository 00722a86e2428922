import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { limits, type Picture } from '../live/picture.ts';

/** The images of a draft, each with its way out. */
export function Pictures({ pictures, isSending, detach }: { pictures: readonly Picture[]; isSending: boolean; detach: (p: Picture, why?: string) => void }): JSX.Element | null {
  return pictures.length === 0 ? null : (
    <ul class="pictures" aria-label="Images of this prompt">
      {pictures.map((p, i) => <One key={`${i}/${p.name}/${p.blob.size}`} picture={p} number={i + 1} isSending={isSending} detach={detach} />)}
    </ul>
  );
}

function One({ picture: p, number, isSending, detach }: { picture: Picture; number: number; isSending: boolean; detach: (p: Picture, why?: string) => void }): JSX.Element {
  const url = useMemo(() => URL.createObjectURL(p.blob), [p]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  const name = p.name === '' ? `Image ${number}` : p.name;
  return (
    <li>
      <img
        src={url} alt={name} title={name}
        onLoad={({ currentTarget: { naturalWidth: w, naturalHeight: h } }) => {
          if (w * h > limits.pixels) {
            detach(p, `“${name}” has ${w} × ${h} points; one image may have ${Math.round(limits.pixels / 1e6)} million.`);
          }
        }}
        onError={() => detach(p, `“${name}” cannot be read as an image.`)}
      />
      <button type="button" class="small" disabled={isSending} aria-label={`Take ${name} out`} onClick={() => detach(p)}>✕</button>
    </li>
  );
}
