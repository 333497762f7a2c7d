import type { Services } from '../../graphql/context.ts';
import type { Message } from '../../messages/message.ts';
import { people, rooms } from './conversations.ts';

/** Fills a new table with people and rooms to look at, through the same doors as everybody else. */
export async function seedDemo({
  users,
  rooms: roomService,
  messages,
  likes,
}: Pick<Services, 'users' | 'rooms' | 'messages' | 'likes'>): Promise<void> {
  const ids = new Map<string, string>();
  for (const { handle, name } of people) {
    ids.set(handle, await users.ensure({ sub: handle, handle, name }));
  }
  const idOf = (handle: string): string => {
    const id = ids.get(handle);
    if (id === undefined) throw new Error(`Nobody in the demo is called ${handle}.`);
    return id;
  };

  for (const { name, topic, visibility, members, lines } of rooms) {
    const [owner, ...others] = members.map(idOf);
    if (owner === undefined) continue;
    const room = await roomService.create(owner, { name, topic, visibility, capacity: null });
    for (const other of others) await roomService.join(other, room.id);
    let root: Message | undefined;
    let last: Message | undefined;
    for (const line of lines) {
      if (line.startsWith('+ ') && last !== undefined) {
        for (const handle of line.slice(2).split(' ')) await likes.like(idOf(handle), last);
        continue;
      }
      const [who = '', body = ''] = line.replace(/^> /, '').split(/: (.*)/s);
      const sending = { room: room.id, author: idOf(who), body };
      if (line.startsWith('> ') && root !== undefined) {
        last = await messages.send({ ...sending, replyTo: root });
      } else {
        root = last = await messages.send(sending);
      }
    }
  }
}
