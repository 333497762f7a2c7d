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

/** The news of somebody whose list of rooms is set by hand. */
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

describe('the news of rooms', () => {
  it('are what others did: somebody came in, is out, has got the seat that they waited for', () => {
    const { heard, news, becomes } = listOf('Lobby', 'Tea');
    news.waits('Boat', true);
    becomes('Lobby', 'Boat', 'Kitchen');
    expect(heard.sort()).toEqual(['came Kitchen', 'gone Tea', 'seat Boat']);
    expect(news.lost('Tea')).toBe('Tea');
    becomes('Lobby', 'Boat', 'Kitchen', 'Tea');
    expect(news.lost('Tea')).toBeUndefined();
  });

  it('are not what is there at first, nor what the viewer does, also where the badge tells of it before', async () => {
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

  it('wait while the viewer does something, and come when it is done or has failed', async () => {
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
