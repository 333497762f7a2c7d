/** From another tab, the browser sends two events, one shortly after the other. */
const TOGETHER_MS = 1_000;

/** Calls back once each time the user comes back to the page: from another window, tab or program. */
export function onLook(call: () => void): () => void {
  let last = Number.NEGATIVE_INFINITY;
  const look = () => {
    const now = performance.now();
    if (document.visibilityState !== 'visible' || now - last < TOGETHER_MS) return;
    last = now;
    call();
  };
  addEventListener('focus', look);
  document.addEventListener('visibilitychange', look);
  return () => {
    removeEventListener('focus', look);
    document.removeEventListener('visibilitychange', look);
  };
}
