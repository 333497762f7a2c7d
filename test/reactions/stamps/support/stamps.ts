import type { MessageKey } from '../../../../src/messages/message.ts';
import type { TestApp } from '../../../support/app.ts';
import { type Person, people, rawId, roomOf, say } from '../../../support/people.ts';
import { AddStamp, StampsOf } from './operations.ts';

/** A public room of two, in which Aki has said something. */
export async function stampingRoom(app: TestApp) {
  const [aki, ben] = await people(app, 2);
  if (aki === undefined || ben === undefined) throw new Error('Two were asked for.');
  const roomId = await roomOf(aki, [ben]);
  return { aki, ben, roomId, message: (await say(aki, roomId, 'Tea?')).id };
}

/** Puts a stamp on a message; resolves to what was answered. */
export const put = async (who: Person, messageId: string, stamp: string) =>
  (await who.do(AddStamp, { messageId, stamp })).addStamp.messageStamp;

export interface StampsPage {
  readonly first?: number;
  readonly after?: string | null;
}

/** A message's counts and a page of its stamps, as somebody sees them. */
export async function stampsOf(who: Person, id: string, page: StampsPage = {}) {
  const { node } = await who.do(StampsOf, { id, ...page });
  if (node === null || !('stamps' in node)) throw new Error('There is no such message.');
  return node;
}

/** As the table names a message. */
export function messageKey(globalId: string): MessageKey {
  const [room = '', t = '', c = ''] = rawId(globalId).split(':');
  return { room, t, c };
}
