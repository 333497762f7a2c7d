/**
 * Has the service worker keep the page and the scripts that it has loaded. The scripts that are loaded later, the
 * worker keeps by itself. Returns a function that ends it.
 */
export function keepPage(): () => void {
  let isOver = false;
  const start = async () => {
    // What is shown without the server must be here before it is needed.
    await import('./OfflineRooms.tsx');
    await navigator.serviceWorker.register('/sw.js');
    const { active } = await navigator.serviceWorker.ready;
    if (!isOver) active?.postMessage({ type: 'keepPage', files: loadedFiles() });
  };
  // A browser may forbid it, for example in a private window.
  void start().catch(() => {});
  return () => {
    isOver = true;
  };
}

const loadedFiles = (): readonly string[] => [
  ...new Set(
    performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name))
      .filter(({ origin, pathname, search }) => isOwn(origin, pathname) && search === '')
      .map(({ pathname }) => pathname),
  ),
];

const isOwn = (origin: string, pathname: string): boolean =>
  origin === location.origin && pathname.startsWith('/assets/');
