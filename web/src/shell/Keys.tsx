import { Suspense, useEffect, useLayoutEffect } from 'react';
import { useLocation } from 'wouter';
import { beginsMessage, focusComposer } from '../composer/focusComposer.ts';
import { useRoomsInOrder } from '../rooms/order.ts';
import { useSession } from '../session/session.ts';
import { lazyWithRetry } from '../ui/lazyWithRetry.ts';
import { roomPath } from './paths.ts';
import { useSingleKeys } from './singleKeys.ts';

export interface KeysProps {
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
}

const KeyList = lazyWithRetry(() => import('./KeyList.tsx'));

/** The keys that work on every page, the dialog that lists all keys, and letters, which begin a message. */
export function Keys({ open, onOpen }: KeysProps) {
  const { areOn } = useSingleKeys();
  useRoomKeys();
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (areOn && !isWriting(event)) {
        if (event.key === '?') return onOpen(true);
        if (event.key === 'c' && isOnMessage(event)) {
          event.preventDefault();
          return focusComposer();
        }
      }
      // The letter goes to the field that has the focus then.
      if (beginsMessage(event)) focusComposer();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [areOn, onOpen]);

  return <Suspense>{open && <KeyList onClose={() => onOpen(false)} />}</Suspense>;
}

/** Alt with an arrow opens the previous or next room of the list. Alt+U opens the next unread room. */
function useRoomKeys(): void {
  const rooms = useRoomsInOrder();
  const { badge } = useSession();
  const [path, navigate] = useLocation();
  // In a layout effect, so that the keys never use an older list than the one on the screen.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!event.altKey || event.ctrlKey || event.metaKey) return;
      const ids = rooms.map(({ room }) => room.id);
      const at = ids.findIndex((id) => path.startsWith(roomPath(id)));
      const turned = [...ids.slice(at + 1), ...ids.slice(0, at + 1)];
      const to = {
        ArrowDown: turned[0],
        ArrowUp: ids.at(at <= 0 ? -1 : at - 1),
        KeyU: turned.find((id) => badge.get().rooms.has(id)),
      }[event.code];
      if (to === undefined) return;
      event.preventDefault();
      navigate(roomPath(to));
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [rooms, badge, path, navigate]);
}

function isOnMessage({ target, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (altKey || ctrlKey || metaKey) return false;
  return target instanceof HTMLElement && target.matches('[data-message]');
}

function isWriting({ target }: KeyboardEvent): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [role="dialog"] *');
}
