import fc from 'fast-check';
import { connect, disconnect, pause, restart, resume } from './clients.ts';
import { like, unlike } from './likes.ts';
import { join, leave } from './membership.ts';
import { burst, edit, remove, send, stamp, unstamp } from './messages.ts';
import type { Role } from './model.ts';
import { rename, setRole } from './owners.ts';
import { markRead, markUnread, mute } from './readPositions.ts';

/** Random sequences of commands. Most of them send messages. */
export function commands(people: number, rooms: number) {
  const person = fc.nat({ max: people - 1 });
  const room = fc.nat({ max: rooms - 1 });
  const place = fc.record({ person, room });
  const target = fc.record({ person, room, pick: fc.nat({ max: 99 }) });
  const all = [
    target.map((one) => send(one, false)),
    target.map((one) => send(one, false)),
    target.map((one) => send(one, true)),
    fc.tuple(room, fc.array(target, { minLength: 2, maxLength: 6 })).map(([inRoom, targets]) =>
      burst(
        inRoom,
        targets.map((one) => ({ ...one, room: inRoom })),
      ),
    ),
    target.map(edit),
    target.map(remove),
    target.map(stamp),
    target.map(stamp),
    target.map(unstamp),
    target.map(like),
    target.map(like),
    target.map(unlike),
    target.map((one) => markRead(one, false)),
    target.map((one) => markRead(one, true)),
    target.map(markUnread),
    fc.tuple(place, fc.boolean()).map(([one, muted]) => mute(one, muted)),
    place.map(join),
    place.map(join),
    place.map(leave),
    target.map(rename),
    target.map(rename),
    target.map(rename),
    fc
      .tuple(target, fc.constantFrom<Role>('OWNER', 'MODERATOR', 'MEMBER'))
      .map(([one, role]) => setRole(one, role)),
    fc
      .tuple(target, fc.constantFrom<Role>('OWNER', 'MODERATOR', 'MEMBER'))
      .map(([one, role]) => setRole(one, role)),
    place.map(connect),
    place.map(connect),
    place.map(connect),
    place.map(disconnect),
    fc.constant(pause),
    fc.constant(resume),
    fc.constant(restart),
  ];
  return fc.commands(all, { maxCommands: 70, size: 'max' });
}
