/** Gathers calls: the last thing asked for is done once, when what has come so far was taken. Timers wait for milliseconds, and this does not. */
export function soon(act: () => void): () => void {
  const { port1, port2 } = new MessageChannel();
  let isDue = false;
  port2.onmessage = () => {
    isDue = false;
    act();
  };
  return () => {
    if (!isDue) {
      isDue = true;
      port1.postMessage(null);
    }
  };
}
