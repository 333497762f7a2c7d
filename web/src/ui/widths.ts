import { useSyncExternalStore } from 'react';

/** As in the style sheets. Zooming in makes the width smaller, too. */
const ONE_COLUMN = '(max-width: 48rem)';
const ONE_PANE = '(max-width: 64rem)';

const follow = (query: string) => (listener: () => void) => {
  const media = matchMedia(query);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
};
const followColumn = follow(ONE_COLUMN);
const followPane = follow(ONE_PANE);

/** Whether the window shows either the list of rooms or the open page, like a phone. */
export const useHasOneColumn = (): boolean =>
  useSyncExternalStore(followColumn, () => matchMedia(ONE_COLUMN).matches);

/** Whether a thread or the members cover the room, instead of being beside it. */
export const useHasOnePane = (): boolean =>
  useSyncExternalStore(followPane, () => matchMedia(ONE_PANE).matches);
