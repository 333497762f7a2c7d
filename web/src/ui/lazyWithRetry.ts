import { type ComponentType, lazy } from 'react';
import { loadWithRetry, type Script } from './loadWithRetry.ts';
import { MissingScript } from './MissingScript.tsx';

/**
 * `lazy` for a page that may be offline: the fallback stays until the script is loaded. If it cannot be loaded, an offer to
 * reload the page is in its place, and the rest of the page stays.
 */
export const lazyWithRetry = <P>(load: () => Promise<Script<ComponentType<P>>>) =>
  lazy(() => loadWithRetry(load).catch((): Script<ComponentType<P>> => ({ default: MissingScript })));
