import { signal } from '@preact/signals';

const narrow = matchMedia('(max-width: 55rem)');

/** The screen has room for one view at a time. */
export const isNarrow = signal(narrow.matches);

narrow.addEventListener('change', () => (isNarrow.value = narrow.matches));
