/** Calls back whenever the user comes back to the page: from another window, tab or program. */
export function onLook(call: () => void): () => void {
  const look = () => {
    if (document.visibilityState === 'visible') call();
  };
  addEventListener('focus', look);
  document.addEventListener('visibilitychange', look);
  return () => {
    removeEventListener('focus', look);
    document.removeEventListener('visibilitychange', look);
  };
}
