import { type ComponentType, lazy } from 'react';
import { loadWithRetry, type Script } from './loadWithRetry.ts';
import { MissingScript } from './MissingScript.tsx';

/**
 * `lazy` for a page that may be offline: the fallback stays until the script is loaded. If it cannot be loaded,
 * `missing` is in its place, by default an offer to reload the page, and the rest of the page stays. No error boundary
 * gets the error. So a part that shows a text in a better way needs a `missing` that shows the text, and a part that
 * the user did not open needs one that shows nothing.
 */
export const lazyWithRetry = <P>(
  load: () => Promise<Script<ComponentType<P>>>,
  missing: ComponentType<P> = MissingScript,
) => lazy(() => loadWithRetry(load).catch((): Script<ComponentType<P>> => ({ default: missing })));
