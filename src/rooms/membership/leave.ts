import type { Publisher } from '../../bus/publisher.ts';
import { badUserInput, forbidden, notFound, unavailable } from '../../core/errors.ts';
import { ConditionsFailed } from '../../dynamo/errors.ts';
import { createItemLoader } from '../../dynamo/itemLoader.ts';
import { keys } from '../../dynamo/keys.ts';
import { SCHEMA_VERSION } from '../../dynamo/table.ts';
import type { Write } from '../../dynamo/write.ts';
import { accessTo, memberAccess } from '../access.ts';
import { actOfRemoving, assertMay } from '../policy.ts';
import { lastRev, type Membership, membershipOf, type Room, stillInRole } from '../room.ts';
import { personTopic } from '../topics.ts';
import { written } from '../written.ts';
import { ATTEMPTS, type MembersOptions } from './entering.ts';
import { freeSeat, lastOwner } from './seats.ts';
import { createWaitlist } from './waitlist.ts';

export interface LeavingOptions extends MembersOptions {
  readonly publisher: Publisher;
}

/** Somebody, and what is done to them. */
export interface ByAnother {
  /** Who does it. */
  readonly by: string;
  readonly room: string;
  /** To whom. */
  readonly user: string;
}

/**
 * The ways out of a room: leaving it, being removed, being banned. Each is one batch of reads and one
 * transaction, and raises `COUNTER.removals`: whoever sees that looks who is still there before anything of
 * the room is sent.
 */
export function createLeaving({ dynamo, timestamps, people, seats, publisher }: LeavingOptions) {
  const waitlist = createWaitlist({ dynamo, timestamps, people, seats });

  /**
   * Leaves the room, or the line in front of it. Throws NOT_FOUND or FORBIDDEN for who is in neither, CONFLICT for
   * the last owner while others are there. Resolves to the room as an outsider sees it.
   */
  async function leave(user: string, room: string): Promise<{ readonly room: Room | null }> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const access = await accessTo(room, user, createItemLoader(dynamo));
      if (access === null) throw notFound();
      const { membership } = access;
      const left = access.room.visibility === 'PUBLIC' ? access.room : null;
      if (membership !== null) {
        if (await goes(membership, [])) return { room: left };
      } else {
        const place = await waitlist.placeOf(user, room);
        if (place !== null) {
          if (await waitlist.giveUp(place)) return { room: left };
        } else if ((await membershipNow(user, room)) === undefined) {
          throw forbidden('You are not in this room, nor do you wait for a seat.');
        }
        // Else they have got their seat in between.
      }
    }
    throw unavailable();
  }

  const membershipNow = (user: string, room: string) => dynamo.get(keys.membership(user, room));

  /** Throws NOT_FOUND (also where `user` is not in the room), FORBIDDEN, CONFLICT for the last owner. */
  async function remove({ by, room, user }: ByAnother): Promise<Room> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { found, mine, theirs } = await toRemove({ by, room, user });
      if (theirs === null) throw notFound();
      if (await goes(theirs, [stillInRole(mine)])) return found;
    }
    throw unavailable();
  }

  /**
   * Removes them if they are there, and lets them in no more, by whatever way, until the ban is lifted. Who is
   * banned already stays so. Throws as `remove`, but NOT_FOUND only where there is no such person.
   */
  async function ban({ by, room, user }: ByAnother): Promise<{ room: Room; removed: boolean }> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { found, mine, theirs, banned } = await toRemove({ by, room, user });
      if (banned) return { room: found, removed: false };
      const besides: Write[] = [
        stillInRole(mine),
        {
          put: { ...keys.ban(room, user), v: SCHEMA_VERSION, by, at: timestamps.next() },
          condition: 'attribute_not_exists(pk)',
        },
      ];
      if (theirs !== null) {
        if (await goes(theirs, besides)) return { room: found, removed: true };
      } else {
        const stillOutside = { check: keys.member(room, user), condition: 'attribute_not_exists(pk)' };
        if (await written(dynamo, [...besides, stillOutside])) return { room: found, removed: false };
      }
    }
    throw unavailable();
  }

  /** Lifts a ban; where there is none, nothing happens. Throws as `ban`. */
  async function unban({ by, room, user }: ByAnother): Promise<Room> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { found, mine } = await toRemove({ by, room, user });
      if (await written(dynamo, [stillInRole(mine), { delete: keys.ban(room, user) }])) return found;
    }
    throw unavailable();
  }

  /** Who does it, whom it is about, and that they may. */
  async function toRemove({ by, room, user }: ByAnother) {
    const items = createItemLoader(dynamo);
    const [{ room: found, membership: mine }, person, item, banned] = await Promise.all([
      memberAccess(room, by, items),
      items.load(keys.user(user)),
      items.load(keys.membership(user, room)),
      items.load(keys.ban(room, user)),
    ]);
    assertMay('removeMembers', found, mine);
    if (user === by) throw badUserInput('input.userId', 'This is for others; oneself one leaves.');
    if (person === undefined) throw notFound();
    const theirs = item === undefined ? null : membershipOf(user, room, item);
    assertMay(actOfRemoving(theirs?.role ?? null), found, mine);
    return { found, mine, theirs, banned: banned !== undefined };
  }

  /** Ends a membership; false where something is not as it was read. Throws CONFLICT for the last owner. */
  async function goes(membership: Membership, besides: readonly Write[]): Promise<boolean> {
    const { room, user, role, rev } = membership;
    const unchanged = { condition: '#role = :role', names: { '#role': 'role' }, values: { ':role': role } };
    try {
      await seats.run(room, () =>
        dynamo.transact([
          freeSeat(room, role),
          { delete: keys.member(room, user), ...unchanged },
          { delete: keys.membership(user, room), ...unchanged },
          { key: keys.counter(room), update: 'SET removals = removals + :one', values: { ':one': 1 } },
          { key: keys.user(user), update: 'SET rooms = rooms - :one', values: { ':one': 1 } },
          ...besides,
        ]),
      );
    } catch (error) {
      if (!(error instanceof ConditionsFailed)) throw error;
      const [seat, ...others] = error.failed;
      if (seat === undefined || others.some((failed) => failed !== undefined)) return false;
      throw lastOwner();
    }
    // The stream will say it, too; this way it is known at once wherever the person has a websocket.
    void publisher.publish(personTopic(user), { type: 'left', room, rev: lastRev(rev) });
    return true;
  }

  return { leave, remove, ban, unban };
}
