import type { AlertsQuery } from '../generated/graphql.ts';
import { type Target, targetOf } from '../notifications/target.ts';
import type { OwnRoom } from '../rooms/list.ts';
import { roomPath } from '../shell/paths.ts';
import type { Alerted } from './alerted.ts';
import type { PageState } from './pages.ts';
import { isPaused, isQuiet } from './quiet.ts';

type Viewer = Readonly<AlertsQuery['viewer']>;
type Notification = Viewer['notifications']['edges'][number]['node'];

/** Something that the viewer is alerted to. */
export interface News {
  readonly room: OwnRoom['room'];
  /** In the words of the server. Undefined: a direct message. */
  readonly text: string | undefined;
  /** What a click opens. */
  readonly path: string;
  /** What comes later with the same tag replaces it. */
  readonly tag: string;
}

/** The kinds that people wait for. The others are in the bell. */
const KINDS = ['MENTION', 'REPLY', 'REMINDER'] as const;
type Kind = (typeof KINDS)[number];

export interface Seen {
  readonly viewer: Viewer;
  /** What was there before. */
  readonly alerted: Alerted;
  /** The direct rooms with new messages, and the position of the newest one. */
  readonly direct: ReadonlyMap<string, number>;
  readonly own: readonly OwnRoom[];
  readonly pages: readonly PageState[];
  readonly now: Date;
}

/**
 * What is new for the viewer and they have not turned off: not in rooms that are muted or before their eyes, and nothing in a
 * pause or in quiet hours, which reminders pass.
 */
export function newsIn({ viewer, alerted, direct, own, pages, now }: Seen): readonly News[] {
  const { deliverySettings: settings, notifications } = viewer;
  const rooms = new Map(own.map((one) => [one.room.id, one]));
  const quiet = isQuiet(settings, now);
  const isOn = (kind: string) => settings.kinds.every((one) => one.kind !== kind || one.mode !== 'OFF');
  const isWanted = (id: string) =>
    rooms.get(id)?.muted !== true && !pages.some(({ isActive, room }) => isActive && room === id);

  const fromBell = notifications.edges.flatMap(({ node }): News[] => {
    const { kind, readAt, updatedAt } = node;
    const isNew = readAt === null && updatedAt > alerted.at;
    if (!isNew || !isKind(kind) || !isOn(kind)) return [];
    if (kind === 'REMINDER' ? isPaused(settings, now) : quiet) return [];
    const target = targetOf(node);
    const room = rooms.get(node.room?.id ?? '')?.room;
    if (target === undefined || room === undefined || !isWanted(room.id)) return [];
    return [{ room, text: node.text, path: target.path, tag: tagOf(node, target) }];
  });
  const isTold = new Set(fromBell.map(({ room }) => room.id));
  const messages = [...direct].flatMap(([id, position]): News[] => {
    const room = rooms.get(id)?.room;
    const isNew = position > (alerted.direct[id] ?? 0);
    if (!isNew || quiet || !isOn('DIRECT_MESSAGE') || room?.visibility !== 'DIRECT') return [];
    // A mention in a direct room is in the bell as well.
    if (isTold.has(id) || !isWanted(id)) return [];
    return [{ room, text: undefined, path: roomPath(id), tag: id }];
  });
  return [...fromBell, ...messages];
}

const isKind = (kind: string): kind is Kind => KINDS.some((one) => one === kind);

const tagOf = ({ kind }: Notification, { roomId, root = '' }: Target): string => `${kind} ${roomId} ${root}`;
