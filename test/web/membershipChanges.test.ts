import { describe, expect, it } from 'vitest';
import type { OwnMembershipFragment } from '../../web/src/generated/graphql.ts';
import { createMembershipChanges } from '../../web/src/rooms/membershipChanges.ts';

const own = (name: string): OwnMembershipFragment => ({
  id: `m-${name}`,
  role: 'MEMBER',
  muted: false,
  room: {
    ...{ id: name, name, topic: null, visibility: 'PUBLIC', capacity: null, memberCount: 1, people: null },
    viewerMembership: { id: `m-${name}` },
  },
});

/** The changes of a user whose list of rooms is set by hand. */
function listOf(...names: string[]) {
  let listed = names.map(own);
  const reported: string[] = [];
  const changes = createMembershipChanges(() => listed);
  changes.onChange(({ what, room }) => reported.push(`${what} ${room.name}`));
  changes.compare();
  return {
    reported,
    changes,
    becomes(...now: string[]) {
      listed = now.map(own);
      changes.compare();
    },
  };
}

describe('the news of rooms', () => {
  it('are what others did: somebody came in, is out, has got the seat that they waited for', () => {
    const { reported, changes, becomes } = listOf('Lobby', 'Tea');
    changes.setWaiting('Boat', true);
    becomes('Lobby', 'Boat', 'Kitchen');
    expect(reported.sort()).toEqual(['came Kitchen', 'gone Tea', 'seat Boat']);
    expect(changes.formerName('Tea')).toBe('Tea');
    becomes('Lobby', 'Boat', 'Kitchen', 'Tea');
    expect(changes.formerName('Tea')).toBeUndefined();
  });

  it('are not what is there at first, nor what the viewer does, also where the badge tells of it before', async () => {
    const { reported, changes, becomes } = listOf('Lobby');
    const joined = changes.ignoringOwn(
      async () => becomes('Lobby', 'Tea'),
      () => 'Tea',
    );
    await joined;
    await changes.ignoringOwn(
      async () => becomes('Tea'),
      () => 'Lobby',
    );
    changes.compare();
    expect(reported).toEqual([]);
    expect(changes.formerName('Lobby')).toBeUndefined();
  });

  it('wait while the viewer does something, and come when it is done or has failed', async () => {
    const { reported, changes, becomes } = listOf('Lobby');
    const failed = changes.ignoringOwn(
      async () => {
        becomes('Lobby', 'Tea', 'Boat');
        expect(reported).toEqual([]);
        throw new Error('refused');
      },
      () => 'Tea',
    );
    await expect(failed).rejects.toThrow('refused');
    expect(reported).toEqual(['came Tea', 'came Boat']);
  });
});
