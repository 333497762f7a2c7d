/** Commands about read positions and muting. */
import { MarkRoomRead } from '../../../support/clients/operations.ts';
import { MarkRoomUnread, MuteRoom } from '../../../unread/support/operations.ts';
import { command, hasMessages, isMember, picked, roomAt, type Target } from './command.ts';
import { type Place, positionOf } from './model.ts';

export const markRead = (target: Target, all: boolean) =>
  command({
    name: `markRead(${target.person} in ${target.room} up to ${all ? 'the end' : target.pick})`,
    possible: (model) => isMember(model, target) && (all || hasMessages(model, target)),
    async run(model, real) {
      const modelRoom = roomAt(model, target);
      const to = all ? undefined : picked(modelRoom, target.pick);
      const roomId = real.rooms[target.room] ?? '';
      const input = to === undefined ? { roomId } : { roomId, upTo: to.id };
      await real.person(target.person).do(MarkRoomRead, { input });
      const member = modelRoom.members.get(target.person);
      const upTo = to === undefined ? modelRoom.roots.length : positionOf(modelRoom, to);
      if (member !== undefined) member.read = Math.max(member.read, upTo);
    },
  });

export const markUnread = (target: Target) =>
  command({
    name: `markUnread(${target.person} in ${target.room} from ${target.pick})`,
    possible: (model) => isMember(model, target) && hasMessages(model, target),
    async run(model, real) {
      const modelRoom = roomAt(model, target);
      const from = picked(modelRoom, target.pick);
      const member = modelRoom.members.get(target.person);
      if (member === undefined) return;
      await real.person(target.person).do(MarkRoomUnread, { messageId: from.id });
      member.read = Math.min(member.read, positionOf(modelRoom, from) - 1);
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
