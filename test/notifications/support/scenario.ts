import { expect } from 'vitest';
import { summariesOf, type TestSystem, type TestUser } from './testSystem.ts';

/** Four users in a room, with one message by Aki. */
export async function createScenario(system: TestSystem) {
  const [aki, ben, chi, dan] = await Promise.all([1, 2, 3, 4].map(() => system.createUser()));
  if (aki === undefined || ben === undefined || chi === undefined || dan === undefined) throw new Error();
  const people = { aki, ben, chi, dan };
  const room = await system.room(aki, ben, chi, dan);
  const message = await system.say(aki, room);
  const { likes, stamps, messages, readPositions: reading } = system.services;
  return {
    ...people,
    room,
    message,
    likes,
    stamps,
    messages,
    rooms: reading,
    /** A user's notifications after everything in the stream was processed. */
    async summaries(one: TestUser): Promise<string[]> {
      await system.consume();
      const notifications = await system.notifications(one);
      const unread = notifications.filter(({ readAt }) => readAt === null);
      expect(await system.badge(one)).toBe(unread.reduce((sum, { count }) => sum + count, 0));
      return summariesOf(notifications, people);
    },
    readFirst: async (one: TestUser) => {
      const [first] = await system.notifications(one);
      return system.reading.markRead(one.id, first === undefined ? [] : [first.id]);
    },
  };
}
