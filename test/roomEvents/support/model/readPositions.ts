/** How far users have read. */
import { MarkRoomRead } from '../../../support/operations.ts';
import { MarkRoomUnread, MuteRoom } from '../../../unread/support/operations.ts';
import { command, hasMessages, isMember, picked, roomAt, type Target } from './command.ts';
import { type Place, positionOf } from './model.ts';

export const markRead = (act: Target, all: boolean) =>
  command({
    name: `markRead(${act.person} in ${act.room} up to ${all ? 'the end' : act.pick})`,
    possible: (model) => isMember(model, act) && (all || hasMessages(model, act)),
    async run(model, real) {
      const mine = roomAt(model, act);
      const to = all ? undefined : picked(mine, act.pick);
      const roomId = real.rooms[act.room] ?? '';
      const input = to === undefined ? { roomId } : { roomId, upTo: to.id };
      await real.person(act.person).do(MarkRoomRead, { input });
      const member = mine.members.get(act.person);
      const upTo = to === undefined ? mine.roots.length : positionOf(mine, to);
      if (member !== undefined) member.read = Math.max(member.read, upTo);
    },
  });

export const markUnread = (act: Target) =>
  command({
    name: `markUnread(${act.person} in ${act.room} from ${act.pick})`,
    possible: (model) => isMember(model, act) && hasMessages(model, act),
    async run(model, real) {
      const mine = roomAt(model, act);
      const from = picked(mine, act.pick);
      const member = mine.members.get(act.person);
      if (member === undefined) return;
      await real.person(act.person).do(MarkRoomUnread, { messageId: from.id });
      member.read = Math.min(member.read, positionOf(mine, from) - 1);
    },
  });

export const mute = (place: Place, muted: boolean) =>
  command({
    name: `mute(${place.person} in ${place.room}: ${muted})`,
    possible: (model) => isMember(model, place),
    async run(model, real) {
      await real.person(place.person).do(MuteRoom, { roomId: real.rooms[place.room] ?? '', muted });
      const member = roomAt(model, place).members.get(place.person);
      if (member !== undefined) member.muted = muted;
    },
  });
