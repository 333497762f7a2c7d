import { type ComponentType, lazy } from 'react';

/** A script that does not come is asked for again after so long, and as soon as the browser is online again. */
const AGAIN_MS = 2_000;
/** So often while the server answers all the same: then it has another version, of which the page knows nothing. */
const REFUSALS = 3;

/** As `lazy`, for a page whose connection may be gone at that moment: what stands in its place stays until it comes. */
export const lazily = <P>(load: () => Promise<{ readonly default: ComponentType<P> }>) =>
  lazy(() => untilItComes(load));

async function untilItComes<T>(load: () => Promise<T>): Promise<T> {
  for (let refusals = 0; ; ) {
    try {
      return await load();
    } catch (error) {
      if ((await isServerThere()) && ++refusals === REFUSALS) throw error;
      await waited();
    }
  }
}

const isServerThere = (): Promise<boolean> =>
  fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );

function waited(): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, AGAIN_MS);
    addEventListener('online', end);
  });
}
