import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { type TextKey, useI18n } from '../i18n/i18n.ts';
import iconUrl from '../icon.svg';
import { useTitle } from '../rooms/title.ts';
import { useOwnRooms } from '../rooms/useOwnRooms.ts';
import { isSavedPath } from '../saved/isSavedPath.ts';
import { useSession } from '../session/session.ts';
import { deliverySettingsPath, roomPath, SETTINGS_PATH, THREADS_PATH } from '../shell/paths.ts';
import { useStore } from '../state/store.ts';
import type { BadgeState } from './badge.ts';

/** The name of the page at this path. Undefined if it is a room, or if there is no page. */
const pageAt = (path: string): TextKey | undefined => (isSavedPath(path) ? 'saved.title' : PAGES.get(path));

const PAGES: ReadonlyMap<string, TextKey> = new Map([
  [THREADS_PATH, 'threads.title'],
  [deliverySettingsPath, 'delivery.title'],
  [SETTINGS_PATH, 'app.settings'],
]);

const totalOf = ({ total }: BadgeState) => total ?? 0;

/**
 * Shows the open room or page and the total of rooms and notifications in the window's title, and the total as a badge
 * on its icon.
 */
export function BadgeInTitle() {
  const { t } = useI18n();
  const { badge, viewer } = useSession();
  const total = useStore(badge, totalOf);
  const [path] = useLocation();
  const titleOf = useTitle();
  const open = useOwnRooms()?.find(({ room }) => path.startsWith(roomPath(room.id)));
  const page = pageAt(path);
  const title = open === undefined ? page && t(page) : titleOf(open.room);

  useEffect(() => {
    const parts = [...(title === undefined ? [] : [title]), viewer.displayName, t('app.name')];
    const name = parts.join(' · ');
    document.title = total > 0 ? `(${total}) ${name}` : name;
    return () => {
      document.title = t('app.name');
    };
  }, [total, title, viewer, t]);

  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (link === null) return;
    let isOver = false;
    void iconWith(total).then((href) => {
      if (!isOver) link.href = href;
    });
    return () => {
      isOver = true;
    };
  }, [total]);

  // The next user of this window has another total, or none.
  useEffect(
    () => () => {
      const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
      if (link !== null) link.href = iconUrl;
    },
    [],
  );
  return null;
}

const SIZE = 64;

async function iconWith(total: number): Promise<string> {
  if (total === 0) return iconUrl;
  const canvas = document.createElement('canvas');
  canvas.width = SIZE;
  canvas.height = SIZE;
  const context = canvas.getContext('2d');
  if (context === null) return iconUrl;
  const icon = new Image(SIZE, SIZE);
  icon.src = iconUrl;
  await icon.decode();
  context.drawImage(icon, 0, 0, SIZE, SIZE);
  const text = total > 99 ? '99+' : String(total);
  const width = text.length === 1 ? 36 : text.length === 2 ? 46 : 58;
  context.fillStyle = '#d8432f';
  context.beginPath();
  context.roundRect(SIZE - width, SIZE - 36, width, 36, 18);
  context.fill();
  context.fillStyle = '#fff';
  context.font = `bold ${text.length > 2 ? 24 : 28}px sans-serif`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(text, SIZE - width / 2, SIZE - 17);
  return canvas.toDataURL('image/png');
}
