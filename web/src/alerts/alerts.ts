import { hasFallen } from '../delivery/hasFallen.ts';
import { keptDevice } from '../delivery/keptDevice.ts';
import { AlertsDocument, type AlertsQuery } from '../generated/graphql.ts';
import type { Session } from '../session/session.ts';
import type { BadgeState } from '../unread/badge.ts';
import { isPageActive } from '../unread/isPageActive.ts';
import { createAlerted, withDirect } from './alerted.ts';
import { alertChoices, isAllowed, isSoundOn } from './choices.ts';
import { isRung, type News, newsIn } from './news.ts';
import { createPages } from './pages.ts';
import { createShown, type Words } from './shown.ts';
import { canSound, playSound } from './sound.ts';

/** The newest notifications that are looked at each time. */
const LOOKED_AT = 5;
/** The most direct rooms that are asked about each time. The server accepts 100. */
const DIRECT_MAX = 40;
/** The most notifications that the system shows for what came at once. */
const SHOWN_MAX = 3;
/** All pages of a user together alert them at most once in this time, in milliseconds. */
const REST_MS = 3_000;

export interface AlertsOptions {
  readonly session: Pick<Session, 'api' | 'badge' | 'openRoom' | 'ringsFor' | 'rooms'> & {
    readonly viewer: { readonly id: string };
  };
  /** The words for it, or for something that must not say more. */
  readonly wordsOf: (news: News, hidesText: boolean) => Words;
  /** The viewer has clicked on it. */
  readonly open: (path: string) => void;
}

/**
 * Alerts the viewer to what is new while a page is open: a quiet sound, and a notification of the system while they
 * look at no page. One of all pages of the user does it. Nothing is asked of the server while both are turned off.
 * Returns a function that ends it.
 */
export function startAlerts({ session, wordsOf, open }: AlertsOptions): () => void {
  const { api, badge, openRoom, ringsFor, rooms, viewer } = session;
  const pages = createPages(viewer.id, openRoom);
  const shown = createShown({ viewerId: viewer.id, open });
  const kept = createAlerted(viewer.id);
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
    const variables = { first: LOOKED_AT, unreadOnly: true, direct: [...risen.keys()].slice(0, DIRECT_MAX) };
    const answer = await api.queryUncached(AlertsDocument, variables);
    const [seen, now] = [await pages.all(), new Date()];
    // What is kept is forgotten when the viewer signs out.
    if (isOver) return;
    const alerted = kept.read();
    // The viewer may have read some meanwhile, here or on another device.
    const unread = new Map([...risen].filter(([id, position]) => isUnread(id, position)));
    const news = newsIn({ answer, alerted, direct: unread, own: ownRooms(), pages: seen, now });
    kept.keep(withDirect({ ...alerted, at: newestOf(answer, alerted.at) }, risen));
    if (news.length === 0) return;
    const isWatched = seen.some(({ isActive }) => isActive);
    // Deliveries to this browser come by themselves, with the system's own sound: without it while this page makes one.
    if (!isWatched && hasPush()) return;
    if (sounds()) void playSound();
    if (isWatched || !notifies()) return;
    const { hideText } = answer.viewer.deliverySettings;
    for (const one of news.slice(0, SHOWN_MAX)) shown.show(one, wordsOf(one, hideText));
  }

  const isUnread = (id: string, position: number) => {
    const { rooms: unread, readTo } = badge.get();
    return unread.has(id) && (readTo.get(id) ?? 0) < position;
  };
  const ownRooms = () => rooms.own.get() ?? [];
  const ownRoom = (id: string) => ownRooms().find(({ room }) => room.id === id);
  /** Whether messages in this room are news by themselves. A room that is not known yet may be a new direct one. */
  const mayRing = (id: string) => {
    const own = ownRoom(id);
    return own === undefined || own.room.visibility === 'DIRECT';
  };

  const listen = () => {
    const now = badge.get();
    // Read, here or on another device. A fall may be late, and something else new by then.
    if (hasFallen(before, now)) shown.close((news) => isReadIn(now, news));
    rememberRead(before, now);
    const risen = new Map([...risenRooms(before, now)].filter(([id]) => mayRing(id)));
    const isNew = before.total !== undefined && (now.notifications > before.notifications || risen.size > 0);
    before = now;
    if (!isNew || !isOn()) return;
    for (const [id, position] of risen) direct.set(id, position);
    // If it fails, the viewer sees it in the bell.
    run().catch(() => {});
  };
  const seen = () => {
    if (isPageActive()) shown.seen();
  };
  /** The service worker asks before it shows a delivery, which comes later: one sound is enough. */
  const rings = (kinds: readonly string[]) =>
    hasPush() && sounds() && canSound() && isPageActive() && kinds.some(isRung);

  /** A direct message that was read is not new if it is marked as unread. */
  function rememberRead(from: BadgeState, to: BadgeState): void {
    const isRead = ([id, position]: readonly [string, number]) =>
      !to.rooms.has(id) && position !== from.readTo.get(id) && ownRoom(id)?.room.visibility === 'DIRECT';
    const read = new Map([...to.readTo].filter(isRead));
    if (read.size > 0 && isOn()) kept.keep(withDirect(kept.read(), read));
  }

  /** What is there already is not new, also if it is unread. */
  const begin = async () => {
    const answer = await api.queryUncached(AlertsDocument, { first: 1, unreadOnly: false, direct: [] });
    if (isOver) return;
    const alerted = kept.read();
    kept.keep({ ...alerted, at: newestOf(answer, alerted.at) });
  };
  /** Another page knows what is new, and may be about to alert the viewer to it. */
  const beginUnlessOthersHave = async () => {
    if (!(await pages.hasOthers())) await begin();
  };
  let wasOn = isOn();
  const chosen = () => {
    const isTurnedOn = isOn() && !wasOn;
    wasOn = isOn();
    if (isTurnedOn) begin().catch(() => {});
  };

  if (wasOn) beginUnlessOthersHave().catch(() => {});
  const stops = [badge.subscribe(listen), alertChoices().subscribe(chosen), pages.stop, shown.stop];
  ringsFor.set(rings);
  addEventListener('focus', seen);
  document.addEventListener('visibilitychange', seen);
  return () => {
    isOver = true;
    wake();
    for (const stop of stops) stop();
    ringsFor.set(undefined);
    removeEventListener('focus', seen);
    document.removeEventListener('visibilitychange', seen);
  };
}

const newestOf = ({ viewer }: Readonly<AlertsQuery>, at: string): string =>
  viewer.notifications.edges.reduce(
    (newest, { node }) => (node.updatedAt > newest ? node.updatedAt : newest),
    at,
  );

/** Whether it was read: as far as the badge says so. Direct messages are not in the bell. */
const isReadIn = ({ rooms, notifications }: BadgeState, { kind, room }: News): boolean =>
  !rooms.has(room.id) || (kind !== 'DIRECT_MESSAGE' && notifications === 0);

/**
 * The rooms with new roots, and the position of the newest one. If the read position went back, more is unread, but
 * nothing is new. If the position is not known yet, the newest root may be an old one.
 */
function risenRooms(before: BadgeState, now: BadgeState): ReadonlyMap<string, number> {
  return new Map(
    [...now.rooms].flatMap(([id, count]): [string, number][] => {
      const newest = newestIn(now, id) ?? 0;
      const isMore = count > (before.rooms.get(id) ?? 0);
      return isMore && newest > (newestIn(before, id) ?? 0) ? [[id, newest]] : [];
    }),
  );
}

/** The position of a room's newest root. Undefined if no event was about the room. */
function newestIn({ rooms, readTo }: BadgeState, id: string): number | undefined {
  const position = readTo.get(id);
  return position === undefined ? undefined : position + (rooms.get(id) ?? 0);
}
