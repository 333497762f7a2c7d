import { useEffect, useEffectEvent } from 'react';
import type { BaseLocationHook } from 'wouter';
import { navigate as navigateNow, useBrowserLocation } from 'wouter/use-browser-location';

/**
 * The browser's way back closes the dialog on top, as on a phone, and not the page beneath it.
 *
 *   history:  … page · page { dialogs: 1 } · page { dialogs: 2 }
 *
 * Each open dialog has an entry of its own above the page's. Back leaves that entry, which closes the dialog. A dialog
 * that is closed in another way takes its entry with it: nothing is ever above a page but the dialogs that are open, so
 * back always does what the viewer sees. The entries of closed dialogs stay ahead, because a page cannot remove them:
 * forward leads to one, and at once back.
 */
const open: { readonly close: () => void }[] = [];

/** What waits until the history has arrived where this module has sent it. Undefined: it is not on its way. */
let waiting: (() => void)[] | undefined;

/** How many dialogs the current entry of the history has. */
const depth = (): number => {
  const state: unknown = history.state;
  const known = typeof state === 'object' && state !== null && 'dialogs' in state ? state.dialogs : 0;
  return typeof known === 'number' ? known : 0;
};

/** Gives each open dialog its entry, and takes away those of others. */
function settle(): void {
  if (waiting !== undefined) return;
  if (depth() > open.length) leave(depth() - open.length);
  else for (let at = depth() + 1; at <= open.length; at++) history.pushState({ dialogs: at }, '');
}

function leave(entries: number, ...then: (() => void)[]): void {
  waiting = then;
  history.go(-entries);
}

function onMoved(): void {
  if (waiting !== undefined) {
    const run = waiting;
    waiting = undefined;
    for (const one of run) one();
    settle();
    return;
  }
  for (const { close } of open.slice(depth()).reverse()) close();
  // After they were closed. One that must stay open, such as while it saves, gets its entry again.
  setTimeout(settle);
}

/** From the dialogs' entries it first goes back to the page's, so that back leads from the next page to this one. */
const navigate: typeof navigateNow = (to, options) => {
  const go = () => navigateNow(to, options);
  if (waiting !== undefined) waiting.push(go);
  else if (depth() > 0) leave(depth(), go);
  else go();
};

/** For the router. */
export const useLocationBelow: BaseLocationHook = () => {
  const [path] = useBrowserLocation();
  return [path, navigate];
};

/** Until the returned function is called. */
export function watchBack(): () => void {
  addEventListener('popstate', onMoved);
  // After a reload no dialog is open, but the entries of those that were are there.
  settle();
  return () => removeEventListener('popstate', onMoved);
}

/** The browser's way back calls `onBack`, while there is one. */
export function useBack(onBack: (() => void) | undefined): void {
  const isOpen = onBack !== undefined;
  const close = useEffectEvent(() => onBack?.());
  useEffect(() => {
    if (!isOpen) return;
    const dialog = { close: () => close() };
    open.push(dialog);
    // One dialog may be opened in the moment in which another one is closed.
    queueMicrotask(settle);
    return () => {
      open.splice(open.indexOf(dialog), 1);
      queueMicrotask(settle);
    };
  }, [isOpen]);
}
