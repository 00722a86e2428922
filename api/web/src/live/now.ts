import { signal } from '@preact/signals';

/** The time, in steps that ages are shown in. */
export const now = signal(Date.now());

setInterval(() => {
  if (document.visibilityState === 'visible') {
    now.value = Date.now();
  }
}, 1000);
document.addEventListener('visibilitychange', () => (now.value = Date.now()));
