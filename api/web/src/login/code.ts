// The code of a link goes out of the address before anything else is done (spec §7.15): from here on it is in this variable alone.
const mark = '#login=';
let code = location.hash.startsWith(mark) ? location.hash.slice(mark.length) : '';
if (code !== '') {
  history.replaceState(null, '', location.pathname + location.search);
}

/** A link has led here, and its code is not traded yet. */
export function hasCode(): boolean {
  return code !== '';
}

/** The code of the link that led here; the second call has none any more. */
export function takeCode(): string {
  const taken = code;
  code = '';
  return taken;
}

/** A link of another site has led here: its code is traded only when the reader says so. */
export const isFromElsewhere = document.documentElement.dataset['arrived'] === 'elsewhere';
