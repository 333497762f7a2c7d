/** Likes, and that the product answers what the model says. */
import { expect } from 'vitest';
import { LikeMessage, UnlikeMessage } from '../../../reactions/likes/support/operations.ts';
import { command, hasMessages, isMember, picked, roomAt, type Target } from './command.ts';

export const like = (act: Target) =>
  command({
    name: `like(${act.person} in ${act.room}: ${act.pick})`,
    possible: (model) => hasMessages(model, act),
    async run(model, real) {
      const message = picked(roomAt(model, act), act.pick);
      const { data, errors } = await real.person(act.person).send(LikeMessage, { messageId: message.id });
      const refused = !isMember(model, act) ? 'FORBIDDEN' : message.deleted ? 'CONFLICT' : undefined;
      expect(errors?.[0]?.extensions?.code).toBe(refused);
      if (data == null) return;
      message.likes.add(act.person);
      const { likeCount, viewerHasLiked } = data.likeMessage.message;
      expect([likeCount, viewerHasLiked]).toEqual([message.likes.size, true]);
    },
  });

export const unlike = (act: Target) =>
  command({
    name: `unlike(${act.person} in ${act.room}: ${act.pick})`,
    possible: (model) => isMember(model, act) && hasMessages(model, act),
    async run(model, real) {
      const message = picked(roomAt(model, act), act.pick);
      const { unlikeMessage } = await real.person(act.person).do(UnlikeMessage, { messageId: message.id });
      message.likes.delete(act.person);
      const { likeCount, viewerHasLiked } = unlikeMessage.message;
      expect([likeCount, viewerHasLiked]).toEqual([message.likes.size, false]);
    },
  });
