import type { OpenRoom } from '../session/session.ts';
import type { Store } from '../state/store.ts';
import { isPageActive } from '../unread/isPageActive.ts';
import { canSound } from './sound.ts';

/** What a page of this browser is doing at the moment. */
export interface PageState {
  /** The page is visible and has the focus. */
  readonly isActive: boolean;
  /** The room that is open there. */
  readonly room: string | undefined;
  /** The browser lets it make a sound. */
  readonly canSound: boolean;
}

/** The pages of one user in this browser, this one among them. */
export interface Pages {
  own(): PageState;
  all(): Promise<readonly PageState[]>;
  /** Whether there are other ones. */
  hasOthers(): Promise<boolean>;
  stop(): void;
}

const prefixOf = (viewerId: string) => `tsudoi:page:${viewerId}:`;
/** What can change the state of a page. */
const EVENTS = ['focus', 'blur', 'pointerup', 'keyup'] as const;

/**
 * Each page holds a lock whose name has its state, so that the others know it at once, and the browser forgets a page
 * that is closed or has crashed.
 */
export function createPages(
  viewerId: string,
  openRoom: Pick<Store<OpenRoom | undefined>, 'get' | 'subscribe'>,
): Pages {
  const prefix = prefixOf(viewerId);
  let held = '';
  let release = () => {};

  const own = (): PageState => ({
    isActive: isPageActive(),
    room: openRoom.get()?.roomId,
    canSound: canSound(),
  });

  function hold(): void {
    const name = prefix + JSON.stringify(own());
    if (name === held) return;
    held = name;
    release();
    const over = new AbortController();
    const released = new Promise<void>((resolve) => {
      release = () => {
        over.abort();
        resolve();
      };
    });
    // Shared: another page may be in the same state.
    const options = { mode: 'shared', signal: over.signal } as const;
    navigator.locks.request(name, options, () => released).catch(() => {});
  }

  hold();
  const stopRoom = openRoom.subscribe(hold);
  for (const event of EVENTS) addEventListener(event, hold);
  document.addEventListener('visibilitychange', hold);
  return {
    own,
    async all() {
      const { held: locks = [] } = await navigator.locks.query();
      const others = locks.flatMap(({ name = '' }) =>
        name.startsWith(prefix) && name !== held ? [JSON.parse(name.slice(prefix.length)) as PageState] : [],
      );
      return [own(), ...others];
    },
    async hasOthers() {
      const { held: locks = [] } = await navigator.locks.query();
      // By their pages: one that changes its state has two for a moment.
      const mine = locks.filter(({ name = '' }) => name.startsWith(prefix));
      return new Set(mine.map(({ clientId }) => clientId)).size > 1;
    },
    stop() {
      release();
      stopRoom();
      for (const event of EVENTS) removeEventListener(event, hold);
      document.removeEventListener('visibilitychange', hold);
    },
  };
}
