import { type ComponentType, lazy } from 'react';
import { loadWithRetry, type Script } from './loadWithRetry.ts';
import { MissingScript } from './MissingScript.tsx';

/**
 * `lazy` for a page that may be offline: the fallback stays until the script is loaded. If it cannot be loaded, `missing` is
 * in its place, by default an offer to reload the page, and the rest of the page stays. No error boundary gets the error: a
 * part that shows text better than a plain one would must pass a `missing` that shows the plain one, and one that nobody asked
 * for nothing.
 */
export const lazyWithRetry = <P>(
  load: () => Promise<Script<ComponentType<P>>>,
  missing: ComponentType<P> = MissingScript,
) => lazy(() => loadWithRetry(load).catch((): Script<ComponentType<P>> => ({ default: missing })));
