/** Gathers calls: the last thing asked for is done once, with the next frame, or after a moment where the page is hidden and has no frames. */
export function onceAFrame(act: () => void): () => void {
  let isDue = false;
  const run = (): void => {
    isDue = false;
    act();
  };
  return () => {
    if (isDue) {
      return;
    }
    isDue = true;
    if (document.visibilityState === 'visible') {
      requestAnimationFrame(run);
    } else {
      setTimeout(run, 250);
    }
  };
}
