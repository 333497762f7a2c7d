import { describe, expect, it } from 'vitest';
import type { OwnMembershipFragment } from '../../web/src/generated/graphql.ts';
import { createNews } from '../../web/src/rooms/news.ts';

const own = (name: string): OwnMembershipFragment => ({
  id: `m-${name}`,
  role: 'MEMBER',
  muted: false,
  room: {
    ...{ id: name, name, topic: null, visibility: 'PUBLIC', capacity: null, memberCount: 1, people: null },
    viewerMembership: { id: `m-${name}` },
  },
});

/** Membership changes for a list of rooms that the test sets. */
function listOf(...names: string[]) {
  let listed = names.map(own);
  const heard: string[] = [];
  const news = createNews(() => listed);
  news.onNews(({ what, room }) => heard.push(`${what} ${room.name}`));
  news.look();
  return {
    heard,
    news,
    becomes(...now: string[]) {
      listed = now.map(own);
      news.look();
    },
  };
}

describe('web rooms', () => {
  it('membershipChanges: reports a join, a removal and a seat from the waitlist', () => {
    const { heard, news, becomes } = listOf('Lobby', 'Tea');
    news.waits('Boat', true);
    becomes('Lobby', 'Boat', 'Kitchen');
    expect(heard.sort()).toEqual(['came Kitchen', 'gone Tea', 'seat Boat']);
    expect(news.lost('Tea')).toBe('Tea');
    becomes('Lobby', 'Boat', 'Kitchen', 'Tea');
    expect(news.lost('Tea')).toBeUndefined();
  });

  it('membershipChanges: omits the initial rooms and the viewer’s own actions', async () => {
    const { heard, news, becomes } = listOf('Lobby');
    const joined = news.quietly(
      async () => becomes('Lobby', 'Tea'),
      () => 'Tea',
    );
    await joined;
    await news.quietly(
      async () => becomes('Tea'),
      () => 'Lobby',
    );
    news.look();
    expect(heard).toEqual([]);
    expect(news.lost('Lobby')).toBeUndefined();
  });

  it('membershipChanges: waits for an action of the viewer to succeed or fail', async () => {
    const { heard, news, becomes } = listOf('Lobby');
    const failed = news.quietly(
      async () => {
        becomes('Lobby', 'Tea', 'Boat');
        expect(heard).toEqual([]);
        throw new Error('refused');
      },
      () => 'Tea',
    );
    await expect(failed).rejects.toThrow('refused');
    expect(heard).toEqual(['came Tea', 'came Boat']);
  });
});
