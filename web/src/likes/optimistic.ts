import type { Patch } from '../timeline/message.ts';

/** Adds or removes the viewer's like. Idempotent. */
export const withLike =
  (viewerHasLiked: boolean): Patch =>
  (message) =>
    message.viewerHasLiked === viewerHasLiked
      ? message
      : { ...message, viewerHasLiked, likeCount: message.likeCount + (viewerHasLiked ? 1 : -1) };
