/** Commands about likes. Each checks that the product returns what the model expects. */
import { expect } from 'vitest';
import { LikeMessage, UnlikeMessage } from '../../../reactions/likes/support/operations.ts';
import { command, hasMessages, isMember, picked, roomAt, type Target } from './command.ts';

export const like = (target: Target) =>
  command({
    name: `like(${target.person} in ${target.room}: ${target.pick})`,
    possible: (model) => hasMessages(model, target),
    async run(model, real) {
      const message = picked(roomAt(model, target), target.pick);
      const { data, errors } = await real.person(target.person).send(LikeMessage, { messageId: message.id });
      const refused = !isMember(model, target) ? 'FORBIDDEN' : message.deleted ? 'CONFLICT' : undefined;
      expect(errors?.[0]?.extensions?.code).toBe(refused);
      if (data?.likeMessage == null) return;
      message.likes.add(target.person);
      const { likeCount, viewerHasLiked } = data.likeMessage.message;
      expect([likeCount, viewerHasLiked]).toEqual([message.likes.size, true]);
    },
  });

export const unlike = (target: Target) =>
  command({
    name: `unlike(${target.person} in ${target.room}: ${target.pick})`,
    possible: (model) => isMember(model, target) && hasMessages(model, target),
    async run(model, real) {
      const message = picked(roomAt(model, target), target.pick);
      const { unlikeMessage } = await real.person(target.person).do(UnlikeMessage, { messageId: message.id });
      message.likes.delete(target.person);
      const { likeCount, viewerHasLiked } = unlikeMessage.message;
      expect([likeCount, viewerHasLiked]).toEqual([message.likes.size, false]);
    },
  });
