import type { Dynamo } from '../../../../src/dynamo/dynamo.ts';
import type { Receiver } from '../../../delivery/support/receiver.ts';
import { readRoom } from '../../../roomEvents/support/model/view.ts';
import { SavedCounts } from '../../../saved/support/operations.ts';
import { ScheduledMessages } from '../../../scheduled/support/operations.ts';
import { queryBadge } from '../../../support/clients/badges.ts';
import type { TestClient } from '../../../support/clients/client.ts';
import { messageKey } from '../../../support/clients/people.ts';
import { recount } from '../../../verify/support/recount.ts';
import { wrongDeliveries } from './delivered.ts';
import { differs, listDiffers, type Message, type Room } from './differs.ts';
import { wrongKept } from './keeping.ts';
import { type Notified, notificationsOf, wrongNotifications } from './notified.ts';
import type { Told } from './told.ts';

export interface DifferencesOptions {
  /** The table in use. */
  readonly dynamo: Dynamo;
  readonly users: readonly Told[];
  /** A member who does nothing, and is mentioned. */
  readonly reader: Told;
  readonly receiver: Receiver;
  readonly roomId: string;
  readonly sideId: string;
  readonly clientOf: (user: Told) => Promise<TestClient>;
}

/**
 * What differs between what was acknowledged to users and what the table and the servers say. No user may write
 * meanwhile.
 */
export async function differences(options: DifferencesOptions): Promise<string[]> {
  const { dynamo, users, reader, roomId, sideId, receiver, clientOf } = options;
  const counted = await recount(dynamo);
  // The rest would say the same in many lines.
  if (counted.length > 0) return counted;
  const room = await readRoom(await clientOf(reader), roomId);
  const side = await readRoom(await clientOf(reader), sideId);
  const found = [...stored(room, users), ...reactions(room, users)];
  found.push(
    ...differs(
      'members of the other room',
      side.memberCount,
      1 + users.filter(({ inSide }) => inSide).length,
    ),
  );
  for (const user of [...users, reader]) {
    const client = await clientOf(user);
    const { rooms } = await queryBadge(client);
    found.push(...differs(`unread of ${user.handle}`, rooms[roomId] ?? 0, unreadOf(user, room)));
    const counts = (await client.do(SavedCounts, {})).viewer.savedCounts;
    found.push(...differs(`saved by ${user.handle}`, counts.total, user.saved.size));
    const notified = await notificationsOf(dynamo, user);
    found.push(...wrongNotifications(user, { room, users, notified }));
    found.push(...(await wrongDeliveries(user, { dynamo, receiver, notified })));
    if (user === reader) continue;
    found.push(...(await timers(user, { room, client, notified })));
    found.push(...(await wrongKept(user, { dynamo, client, other: await clientOf(reader) })));
  }
  return found;
}

/** What was acknowledged is stored once, as it was written last, and nothing else is. */
function stored({ messages }: Room, users: readonly Told[]): string[] {
  const sent = new Map(users.flatMap((user) => [...user.sent]));
  const scheduled = new Set(users.flatMap((user) => [...user.scheduled.keys()]));
  const unknown = Object.values(messages).filter(
    ({ id, body }) => !sent.has(id) && !scheduled.has(body ?? ''),
  );
  return [
    ...[...sent].flatMap(([id, body]) => differs(`body of ${id}`, messages[id]?.body, body)),
    ...unknown.map(({ body }) => `No one was told that this was sent: ${body}`),
  ];
}

function reactions({ messages }: Room, users: readonly Told[]): string[] {
  return Object.values(messages).flatMap(({ id, likeCount, stampCounts }) => [
    ...differs(`likes of ${id}`, likeCount, users.filter(({ liked }) => liked.has(id)).length),
    ...differs(
      `stamps of ${id}`,
      stampCounts.reduce((sum, { count }) => sum + count, 0),
      users.filter(({ stamped }) => stamped.has(id)).length,
    ),
  ]);
}

const positionOf = ({ messages }: Room, message: Message | undefined): number =>
  messages[message?.root?.id ?? message?.id ?? '']?.position ?? 0;

function unreadOf({ handle, read }: Told, room: Room): number {
  const roots = Object.values(room.messages).filter(({ root }) => root === null);
  const own = roots.filter(({ author }) => author.handle === handle);
  const last = Math.max(
    0,
    ...own.map((root) => positionOf(room, root)),
    ...read.map((id) => positionOf(room, room.messages[id])),
  );
  return roots.filter((root) => positionOf(room, root) > last).length;
}

interface TimersOptions {
  readonly room: Room;
  readonly client: TestClient;
  readonly notified: readonly Notified[];
}

/** Each scheduled message was sent once, or is still scheduled; each reminder that was due has one notification. */
async function timers(user: Told, { room, client, notified }: TimersOptions): Promise<string[]> {
  const now = Date.now();
  const { edges } = (await client.do(ScheduledMessages, { first: 100 })).viewer.scheduledMessages;
  const all = [...edges.map(({ node }) => node), ...Object.values(room.messages)].map(({ body }) => body);
  const late = edges.filter(({ node }) => Date.parse(String(node.sendAt)) < now);
  const due = [...user.reminders]
    .filter(([, at]) => at <= now)
    .map(([id, at]) => `${messageKey(id).ts} ${at * 1_000}`);
  const reminded = notified.filter(({ kind }) => kind === 'REMINDER');
  return [
    ...late.map(({ node }) => `${node.body} is due and was not sent`),
    ...[...user.scheduled].flatMap(([body, isKnown]) => {
      const times = all.filter((one) => one === body).length;
      return isKnown || times > 1 ? differs(`times of ${body}`, times, 1) : [];
    }),
    ...listDiffers(
      `reminders of ${user.handle}`,
      reminded.map(({ ts, at }) => `${ts} ${at}`),
      due,
    ),
  ];
}
