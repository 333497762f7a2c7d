import fc from 'fast-check';
import { createCommandRebuild, createCommandServices } from '../../../src/app/commandServices.ts';
import { newId } from '../../../src/core/ids.ts';
import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import type { Message } from '../../../src/messages/message.ts';
import { silent } from '../../stream/support/stream.ts';

const PEOPLE = ['aki', 'ben', 'chi', 'dan'] as const;
const STAMPS = ['tea', 'rocket', '👍', '❤️'] as const;

const person = fc.nat({ max: PEOPLE.length - 1 });
const index = fc.nat({ max: 1_000 });
const body = fc.oneof(
  fc.constantFrom(
    'Hello',
    'Good morning, @ben',
    '@aki @chi: shall we? @someone @nobody_here',
    'a\nb',
    `@ben: ${'long '.repeat(300)}`,
    '集い 🎉',
    '"<@U1>", \\n',
  ),
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
    .map((text) => `x${text.replace(/\p{Cc}/gu, '')}`.toWellFormed()),
);
/** What someone does in a room. */
export const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('post' as const), by: person, body }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('reply' as const), by: person, body, to: index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('edit' as const), body, to: index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), to: index }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('like' as const), by: person, to: index }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('stamp' as const),
      by: person,
      to: index,
      stamp: fc.constantFrom(...STAMPS),
    }),
  },
);
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

export interface Made {
  readonly room: string;
  readonly people: readonly string[];
  readonly sent: readonly Message[];
}

/** A room in which these people did all this, as the services do it. */
export async function make(
  dynamo: Dynamo,
  steps: readonly Step[],
  visibility: 'PUBLIC' | 'PRIVATE',
): Promise<Made> {
  const { users, rooms, messages, likes, stamps } = createCommandServices(dynamo, silent);
  const people: string[] = [];
  for (const handle of PEOPLE) {
    const sub = `sub-${handle}`;
    people.push(await users.ensure({ sub, handle, name: handle.toUpperCase() }));
  }
  // Another one each time: no one can be added to many rooms by the same person.
  const owner = await users.ensure({ sub: `owner-${newId()}`, name: 'Owner' });
  const { id: room } = await rooms.create(owner, {
    name: 'A room',
    topic: 'of all',
    visibility,
    capacity: 9,
  });
  for (const user of people) await rooms.add({ by: owner, room, user });
  const sent: Message[] = [];
  const at = (to: number) => sent[to % Math.max(1, sent.length)];
  for (const one of steps) {
    const message = 'to' in one ? at(one.to) : undefined;
    const by = 'by' in one ? (people[one.by] ?? '') : '';
    // What is refused has changed nothing.
    const refused = () => undefined;
    if (one.do === 'post') sent.push(await messages.send({ room, author: by, body: one.body }));
    else if (message === undefined) continue;
    else if (one.do === 'reply') {
      const reply = await messages
        .send({ room, author: by, body: one.body, replyTo: message })
        .catch(refused);
      if (reply !== undefined) sent.push(reply);
    } else if (one.do === 'edit') await messages.edit(message.author, message, one.body).catch(refused);
    else if (one.do === 'delete') await messages.remove(message.author, message);
    else if (one.do === 'like') await likes.add(by, message).catch(refused);
    else await stamps.add(by, message, one.stamp).catch(refused);
  }
  const [last = ''] = people.slice(-1);
  await rooms.leave(last, room);
  await derive(dynamo);
  return { room, people, sent };
}

/** The positions, which the consumer would have given. */
export async function derive(dynamo: Dynamo): Promise<void> {
  const rebuild = createCommandRebuild({ dynamo, log: silent, retention: 30 * 86_400, onItem() {} });
  await rebuild(new AbortController().signal);
}
