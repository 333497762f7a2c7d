import fc from 'fast-check';
import { disconnect, look, pause, restart, resume } from './clients.ts';
import { like, unlike } from './likes.ts';
import { join, leave } from './membership.ts';
import { burst, edit, remove, say, stamp, unstamp } from './messages.ts';
import type { Role } from './model.ts';
import { rename, setRole } from './owners.ts';
import { markRead, markUnread, mute } from './readPositions.ts';

/** Sequences of what users do, mostly sending messages. */
export function commands(people: number, rooms: number) {
  const person = fc.nat({ max: people - 1 });
  const room = fc.nat({ max: rooms - 1 });
  const place = fc.record({ person, room });
  const act = fc.record({ person, room, pick: fc.nat({ max: 99 }) });
  const some = [
    act.map((one) => say(one, false)),
    act.map((one) => say(one, false)),
    act.map((one) => say(one, true)),
    fc.tuple(room, fc.array(act, { minLength: 2, maxLength: 6 })).map(([where, acts]) =>
      burst(
        where,
        acts.map((one) => ({ ...one, room: where })),
      ),
    ),
    act.map(edit),
    act.map(remove),
    act.map(stamp),
    act.map(stamp),
    act.map(unstamp),
    act.map(like),
    act.map(like),
    act.map(unlike),
    act.map((one) => markRead(one, false)),
    act.map((one) => markRead(one, true)),
    act.map(markUnread),
    fc.tuple(place, fc.boolean()).map(([where, muted]) => mute(where, muted)),
    place.map(join),
    place.map(join),
    place.map(leave),
    act.map(rename),
    act.map(rename),
    act.map(rename),
    fc
      .tuple(act, fc.constantFrom<Role>('OWNER', 'MODERATOR', 'MEMBER'))
      .map(([one, role]) => setRole(one, role)),
    fc
      .tuple(act, fc.constantFrom<Role>('OWNER', 'MODERATOR', 'MEMBER'))
      .map(([one, role]) => setRole(one, role)),
    place.map(look),
    place.map(look),
    place.map(look),
    place.map(disconnect),
    fc.constant(pause),
    fc.constant(resume),
    fc.constant(restart),
  ];
  return fc.commands(some, { maxCommands: 70, size: 'max' });
}
