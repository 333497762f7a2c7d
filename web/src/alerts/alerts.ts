import { hasFallen } from '../delivery/hasFallen.ts';
import { keptDevice } from '../delivery/keptDevice.ts';
import { AlertsDocument } from '../generated/graphql.ts';
import type { Session } from '../session/session.ts';
import type { BadgeState } from '../unread/badge.ts';
import { isPageActive } from '../unread/isPageActive.ts';
import { keepAlerted, readAlerted, withDirect } from './alerted.ts';
import { alertChoices, isAllowed, isSoundOn } from './choices.ts';
import { type News, newsIn } from './news.ts';
import { createPages } from './pages.ts';
import { playSound } from './sound.ts';

/** The newest notifications that are looked at each time. */
const LOOKED_AT = 5;
/** The most notifications that the system shows for what came at once. */
const SHOWN_MAX = 3;
/** All pages of a user together alert them at most once in this time, in milliseconds. */
const REST_MS = 3_000;

export interface AlertsOptions {
  readonly session: Pick<Session, 'api' | 'badge' | 'openRoom' | 'rooms'> & {
    readonly viewer: { readonly id: string };
  };
  /** The words for it, or for something that must not say more. */
  readonly wordsOf: (news: News, hidesText: boolean) => { readonly title: string; readonly body: string };
  /** The viewer has clicked on it. */
  readonly open: (path: string) => void;
}

/**
 * Alerts the viewer to what is new while a page is open: a quiet sound, and a notification of the system while they look at no
 * page. One of all pages of the user does it. Nothing is asked of the server while both are turned off. Returns a
 * function that ends it.
 */
export function startAlerts({ session, wordsOf, open }: AlertsOptions): () => void {
  const { api, badge, openRoom, rooms, viewer } = session;
  const pages = createPages(viewer.id, openRoom);
  /** What the system shows, and the room that it is about. */
  const shown = new Map<Notification, string>();
  /** Direct rooms with a new message since the last look, and its position. */
  let direct = new Map<string, number>();
  let before = badge.get();
  let isRunning = false;
  let isDirty = false;
  let isOver = false;
  let wake = () => {};

  const hasPush = () => keptDevice(viewer.id) !== undefined;
  const sounds = () => isSoundOn(alertChoices().get(), hasPush());
  const notifies = () => alertChoices().get().notify === true && isAllowed() && !hasPush();
  const isOn = () => !isOver && (sounds() || notifies());

  /** One page at a time. The others leave it to that one, which gets the same events. */
  async function run(): Promise<void> {
    isDirty = true;
    wake();
    if (isRunning) return;
    isRunning = true;
    let isMine = false;
    try {
      // Before it has the lock, because meanwhile the others would leave it to this page.
      if (await leavesItToAnother()) return;
      await navigator.locks.request(`tsudoi:alerts:${viewer.id}`, { ifAvailable: true }, async (lock) => {
        isMine = lock !== null;
        while (isMine && isDirty && isOn()) {
          isDirty = false;
          await look();
          await rest();
        }
      });
    } finally {
      isRunning = false;
    }
    // It came while the lock was given back.
    if (isMine && isDirty && isOn()) await run();
  }

  /** A page that may make no sound lets one that may do so. */
  const leavesItToAnother = async () =>
    sounds() && !pages.own().canSound && (await pages.all()).some(({ canSound }) => canSound);

  /** Timers of a hidden page may be a minute late, so an event after the time ends it, too. */
  const rest = () =>
    new Promise<void>((resolve) => {
      const until = Date.now() + REST_MS;
      const timer = setTimeout(resolve, REST_MS);
      wake = () => {
        if (Date.now() < until && !isOver) return;
        clearTimeout(timer);
        resolve();
      };
    });

  async function look(): Promise<void> {
    const risen = direct;
    direct = new Map();
    if ([...risen.keys()].some((id) => ownRoom(id) === undefined)) await rooms.refresh();
    const answer = await api.queryUncached(AlertsDocument, { first: LOOKED_AT, unreadOnly: true });
    const alerted = readAlerted(viewer.id);
    const [seen, now] = [await pages.all(), new Date()];
    const news = newsIn({
      ...{ viewer: answer.viewer, alerted, direct: risen, own: ownRooms(), pages: seen, now },
    });
    keepAlerted(viewer.id, withDirect({ ...alerted, at: newestOf(answer, alerted.at) }, risen));
    if (news.length === 0 || isOver) return;
    const isWatched = seen.some(({ isActive }) => isActive);
    // Deliveries to this browser come by themselves, with the system's own sound.
    if (!isWatched && hasPush()) return;
    if (sounds()) void playSound();
    if (isWatched || !notifies()) return;
    const { hideText } = answer.viewer.deliverySettings;
    for (const one of news.slice(0, SHOWN_MAX)) show(one, wordsOf(one, hideText));
  }

  const ownRooms = () => rooms.own.get() ?? [];
  const ownRoom = (id: string) => ownRooms().find(({ room }) => room.id === id);
  /** Whether messages in this room are news by themselves. A room that is not known yet may be a new direct one. */
  const mayRing = (id: string) => {
    const own = ownRoom(id);
    return own === undefined || (own.room.visibility === 'DIRECT' && own.muted !== true);
  };

  function show({ room, tag, path }: News, { title, body }: ReturnType<AlertsOptions['wordsOf']>): void {
    let one: Notification;
    try {
      // The sound is the page's own.
      one = new Notification(title, { body, tag, silent: true });
    } catch {
      // Browsers of phones have them only in service workers, for deliveries.
      return;
    }
    shown.set(one, room.id);
    one.addEventListener('close', () => shown.delete(one));
    one.addEventListener('click', () => {
      one.close();
      window.focus();
      open(path);
    });
  }

  function close(isOverIn: (roomId: string) => boolean): void {
    for (const [one, roomId] of shown) {
      if (!isOverIn(roomId)) continue;
      one.close();
      shown.delete(one);
    }
  }
  const closeAll = () => close(() => true);

  const listen = () => {
    const now = badge.get();
    // Read, here or on another device. A fall may be late, and something else new by then.
    if (hasFallen(before, now)) close((id) => now.notifications === 0 || !now.rooms.has(id));
    const risen = new Map([...risenRooms(before, now)].filter(([id]) => mayRing(id)));
    const isNew = before.total !== undefined && (now.notifications > before.notifications || risen.size > 0);
    before = now;
    if (!isNew || !isOn()) return;
    for (const [id, position] of risen) direct.set(id, position);
    // If it fails, the viewer sees it in the bell.
    run().catch(() => {});
  };
  const seen = () => {
    if (isPageActive()) closeAll();
  };

  /** What is there already is not new, also if it is unread. */
  const begin = async () => {
    if (!isOn()) return;
    const answer = await api.queryUncached(AlertsDocument, { first: 1, unreadOnly: false });
    const alerted = readAlerted(viewer.id);
    keepAlerted(viewer.id, { ...alerted, at: newestOf(answer, alerted.at) });
  };
  const tryToBegin = () => void begin().catch(() => {});

  tryToBegin();
  const stops = [badge.subscribe(listen), alertChoices().subscribe(tryToBegin), pages.stop];
  addEventListener('focus', seen);
  addEventListener('pagehide', closeAll);
  document.addEventListener('visibilitychange', seen);
  return () => {
    isOver = true;
    wake();
    closeAll();
    for (const stop of stops) stop();
    removeEventListener('focus', seen);
    removeEventListener('pagehide', closeAll);
    document.removeEventListener('visibilitychange', seen);
  };
}

type Answer = { readonly viewer: Parameters<typeof newsIn>[0]['viewer'] };

const newestOf = ({ viewer }: Answer, at: string): string =>
  viewer.notifications.edges.reduce(
    (newest, { node }) => (node.updatedAt > newest ? node.updatedAt : newest),
    at,
  );

/** The rooms in which more is unread than before, and about the position of the newest root. */
function risenRooms(before: BadgeState, now: BadgeState): ReadonlyMap<string, number> {
  const risen = [...now.rooms].filter(([id, count]) => count > (before.rooms.get(id) ?? 0));
  return new Map(risen.map(([id, count]) => [id, (now.readTo.get(id) ?? 0) + count]));
}
