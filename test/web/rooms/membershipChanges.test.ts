import { describe, expect, it } from 'vitest';
import type { OwnMembershipFragment } from '../../../web/src/generated/graphql.ts';
import { createMembershipChanges } from '../../../web/src/rooms/membershipChanges.ts';

const own = (name: string): OwnMembershipFragment => ({
  id: `m-${name}`,
  role: 'MEMBER',
  muted: false,
  delivery: 'DEFAULT',
  section: null,
  starred: false,
  room: {
    id: name,
    name,
    topic: null,
    visibility: 'PUBLIC',
    capacity: null,
    memberCount: 1,
    people: null,
    viewerMembership: { id: `m-${name}` },
  },
});

/** The changes of a user whose list of rooms is set by hand. */
function listOf(...names: string[]) {
  let listed = names.map(own);
  const reported: string[] = [];
  const changes = createMembershipChanges(() => listed);
  changes.onChange(({ kind, room }) => reported.push(`${kind} ${room.name}`));
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

describe('membershipChanges', () => {
  it('reports that the viewer was added, is no longer a member, or got a seat from the waitlist', () => {
    const { reported, changes, becomes } = listOf('Lobby', 'Tea');
    changes.setWaiting({ id: 'Boat', name: 'Boat' }, true);
    becomes('Lobby', 'Boat', 'Kitchen');
    expect(reported.sort()).toEqual(['added Kitchen', 'ended Tea', 'gotSeat Boat']);
    expect(changes.formerName('Tea')).toBe('Tea');
    becomes('Lobby', 'Boat', 'Kitchen', 'Tea');
    expect(changes.formerName('Tea')).toBeUndefined();
  });

  it('reports that the viewer was added if they had lost their place on the waitlist', () => {
    const { reported, changes, becomes } = listOf('Lobby');
    for (const name of ['Boat', 'Tea', 'Kitchen']) changes.setWaiting({ id: name, name }, true);
    changes.setPlace('Boat', false);
    expect(changes.awaitedName('Boat')).toBe('Boat');
    changes.setPlace('Tea', false);
    changes.setWaiting({ id: 'Tea', name: 'Tea' }, true);
    changes.setPlace('Kitchen', false);
    changes.setPlace('Kitchen', true);
    becomes('Lobby', 'Boat', 'Tea', 'Kitchen');
    expect(reported.sort()).toEqual(['added Boat', 'gotSeat Kitchen', 'gotSeat Tea']);
  });

  it('reports neither the first list nor the viewer’s own changes, even if the badge shows them first', async () => {
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

  it('reports other changes once the viewer’s own action has succeeded or failed', async () => {
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
    expect(reported).toEqual(['added Tea', 'added Boat']);
  });
});
