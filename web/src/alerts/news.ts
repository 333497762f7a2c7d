import type { AlertsOfRoomFragment, AlertsQuery, DeliveryKind } from '../generated/graphql.ts';
import { type Target, targetOf } from '../notifications/target.ts';
import type { OwnRoom } from '../rooms/list.ts';
import { roomPath } from '../shell/paths.ts';
import type { Alerted } from './alerted.ts';
import type { PageState } from './pages.ts';
import { isPaused, isQuiet } from './quiet.ts';

type Notification = AlertsQuery['viewer']['notifications']['edges'][number]['node'];
type RoomChoice = NonNullable<AlertsOfRoomFragment['viewerMembership']>;

/** Something that the viewer is alerted to. */
export interface News {
  readonly room: OwnRoom['room'];
  readonly kind: Kind | 'DIRECT_MESSAGE';
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
  readonly answer: Readonly<AlertsQuery>;
  /** What was there before. */
  readonly alerted: Alerted;
  /** The direct rooms with new messages, and the position of the newest one. */
  readonly direct: ReadonlyMap<string, number>;
  readonly own: readonly OwnRoom[];
  readonly pages: readonly PageState[];
  readonly now: Date;
}

/**
 * What is new for the viewer and they have not turned off: not in rooms that they look at or of which they want
 * nothing, and nothing in a pause or in quiet hours, which reminders pass.
 */
export function newsIn({ answer, alerted, direct, own, pages, now }: Seen): readonly News[] {
  const { deliverySettings: settings, notifications } = answer.viewer;
  const rooms = new Map(own.map(({ room }) => [room.id, room]));
  const choices = choicesIn(answer);
  const quiet = isQuiet(settings, now);
  const isOn = (kind: string) => settings.kinds.every((one) => one.kind !== kind || one.mode !== 'OFF');
  const isWanted = (kind: DeliveryKind, id: string) => {
    const choice = choices.get(id);
    const isWatched = pages.some(({ isActive, room }) => isActive && room === id);
    return isOn(kind) && !isWatched && choice !== undefined && !isLeftOut(kind, choice);
  };

  const fromBell = notifications.edges.flatMap(({ node }): News[] => {
    const { kind, readAt, updatedAt } = node;
    const isNew = readAt === null && updatedAt > alerted.at;
    if (!isNew || !isKind(kind)) return [];
    if (kind === 'REMINDER' ? isPaused(settings, now) : quiet) return [];
    const target = targetOf(node);
    const room = rooms.get(node.room?.id ?? '');
    if (target === undefined || room === undefined || !isWanted(kind, room.id)) return [];
    return [{ room, kind, text: node.text, path: target.path, tag: tagOf(node, target) }];
  });
  const roomsFromBell = new Set(fromBell.map(({ room }) => room.id));
  const messages = [...direct].flatMap(([id, position]): News[] => {
    const room = rooms.get(id);
    const isNew = position > (alerted.direct[id] ?? 0);
    if (!isNew || quiet || room?.visibility !== 'DIRECT' || !isWanted('DIRECT_MESSAGE', id)) return [];
    // A mention in a direct room is in the bell as well.
    if (roomsFromBell.has(id)) return [];
    return [{ room, kind: 'DIRECT_MESSAGE', text: undefined, path: roomPath(id), tag: id }];
  });
  return [...fromBell, ...messages];
}

/** Without rooms in which the viewer is no longer. */
function choicesIn({ viewer, nodes }: Readonly<AlertsQuery>): ReadonlyMap<string, RoomChoice> {
  const rooms = [...nodes, ...viewer.notifications.edges.map(({ node }) => node.room)];
  return new Map(
    rooms.flatMap((room): [string, RoomChoice][] =>
      room != null && 'viewerMembership' in room && room.viewerMembership !== null
        ? [[room.id, room.viewerMembership]]
        : [],
    ),
  );
}

/**
 * Whether what the viewer chose for a room leaves this kind out: the rule of deliveries
 * (`src/delivery/settings/settings.ts`).
 */
export function isLeftOut(
  kind: DeliveryKind,
  { muted, delivery }: Pick<RoomChoice, 'muted' | 'delivery'>,
): boolean {
  if (kind === 'REMINDER' || delivery === 'ALL') return false;
  if (delivery === 'MENTIONS') return kind !== 'MENTION';
  return delivery === 'NOTHING' || muted === true;
}

const isKind = (kind: string): kind is Kind => KINDS.some((one) => one === kind);

/** Whether the viewer is alerted to this kind at all. */
export const isRung = (kind: string): boolean => isKind(kind) || kind === 'DIRECT_MESSAGE';

const tagOf = ({ kind }: Notification, { roomId, root = '' }: Target): string => `${kind} ${roomId} ${root}`;
