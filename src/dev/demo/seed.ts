/** The demo users and rooms. Other folders load this file, and only by a dynamic import, when it is configured. */
import { TsudoiError } from '../../core/errors.ts';
import type { Services } from '../../graphql/context.ts';
import type { Message } from '../../messages/message.ts';
import type { SavedChange } from '../../saved/change.ts';
import { validTagNames } from '../../saved/tagName.ts';
import { type DemoSave, people, rooms, saves } from './conversations.ts';

export { people, rooms } from './conversations.ts';

/** Fills a new table with users and rooms to look at, through the same services that clients use. */
export async function seedDemo({
  users,
  rooms: roomService,
  messages,
  likes,
  saved,
}: Pick<Services, 'users' | 'rooms' | 'messages' | 'likes' | 'saved'>): Promise<void> {
  const ids = new Map<string, string>();
  for (const { handle, name } of people) {
    ids.set(handle, await users.ensure({ sub: handle, handle, name }));
  }
  const idOf = (handle: string): string => {
    const id = ids.get(handle);
    if (id === undefined) throw new Error(`The demo has no user with the handle ${handle}.`);
    return id;
  };

  const sent: Message[] = [];
  for (const { name, topic, visibility, members, lines } of rooms) {
    const [owner, ...others] = members.map(idOf);
    if (owner === undefined) continue;
    const room = await roomService.create(owner, { name, topic, visibility, capacity: null });
    for (const other of others) await roomService.join(other, room.id);
    let root: Message | undefined;
    let last: Message | undefined;
    for (const line of lines) {
      if (line.startsWith('+ ') && last !== undefined) {
        for (const handle of line.slice(2).split(' ')) await likes.add(idOf(handle), last);
        continue;
      }
      const [author = '', body = ''] = line.replace(/^> /, '').split(/: (.*)/s);
      const input = { room: room.id, author: idOf(author), body };
      if (line.startsWith('> ') && root !== undefined) {
        last = await messages.send({ ...input, replyTo: root });
      } else {
        root = last = await messages.send(input);
      }
      sent.push(last);
    }
  }

  for (const save of saves) {
    const message = sent.find(({ body }) => body?.startsWith(save.text));
    if (message === undefined) throw new Error(`The demo has no message that begins with "${save.text}".`);
    const { room, threadTs, ts } = message;
    const key = { user: idOf(save.by), room, threadTs, ts };
    await saved.save(key, changeOf(save), { known: false });
  }
}

const changeOf = ({ tags = [], note, isPublic = false, remindIn }: DemoSave): SavedChange => ({
  visibility: isPublic ? 'PUBLIC' : 'PRIVATE',
  note: note ?? null,
  tags: validTagNames(tags),
  remindAt: remindIn === undefined ? null : Date.now() + remindIn * HOUR_MS,
});

const HOUR_MS = 3_600_000;

/** Lets users join rooms as clients do. Resolves to those of the handles that exist. */
export async function joinRooms(
  { users, rooms: roomService }: Pick<Services, 'users' | 'rooms'>,
  handles: readonly string[],
  ids: readonly string[],
): Promise<string[]> {
  const joined: string[] = [];
  for (const handle of handles) {
    const user = await users.byHandle(handle);
    if (user === null) continue;
    for (const id of ids) await roomService.join(user, id).catch(ignoreMember);
    joined.push(handle);
  }
  return joined;
}

function ignoreMember(error: unknown): void {
  if (!(error instanceof TsudoiError) || error.code !== 'ALREADY_MEMBER') throw error;
}
