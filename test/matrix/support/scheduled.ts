/** Scheduled messages of the users. */
import { encodeId } from '../../../src/graphql/ids.ts';
import { countScheduled, newScheduledWrite } from '../../../src/scheduled/scheduledMessage.ts';
import { messageKey } from '../../support/clients/people.ts';
import type { TestApp } from '../../support/servers/app.ts';
import type { Variables } from './clients.ts';
import type { RoomFixture, User } from './room.ts';

/** Years ahead, so that none is sent. */
const SEND_AT = Date.now() + 10 ** 11;
/** As GraphQL. */
export const sendAt = `sendAt: "${new Date(SEND_AT).toISOString()}"`;

export const scheduledMessageId = ({ id }: User): string => encodeId('ScheduledMessage', `${id}:s1`);

/** Those that could not be sent. Each can be cancelled once. */
const FAILED = ['s2', 's3', 's4', 's5'];
const cancelledBy = new Map<string, number>();

export async function failedMessage({ user: { id } }: { readonly user: User }): Promise<Variables> {
  const count = cancelledBy.get(id) ?? 0;
  cancelledBy.set(id, count + 1);
  return { failed: encodeId('ScheduledMessage', `${id}:${FAILED[count]}`) };
}

/** Some of each user, all but one of which could not be sent. They answer a message of the room. */
export async function addScheduled(
  { dynamo }: TestApp,
  { room, users, message }: RoomFixture,
): Promise<void> {
  const replyTo = messageKey(message);
  for (const { id: author } of Object.values(users)) {
    const one = {
      author,
      room,
      replyTo,
      body: 'later',
      sendAt: SEND_AT,
      content: null,
      turns: 0,
      version: 1,
    };
    const failure = { code: 'CONFLICT', reason: 'THREAD_CLOSED' } as const;
    await dynamo.transact([newScheduledWrite({ ...one, id: 's1', failure: null }), countScheduled(author)]);
    for (const id of FAILED) {
      await dynamo.transact([newScheduledWrite({ ...one, id, failure }), countScheduled(author)]);
    }
  }
}
