import type { Patch } from '../timeline/message.ts';

/** A message as it will be with the viewer's like, or without it; the same where it is so already. */
export const withLike =
  (viewerHasLiked: boolean): Patch =>
  (message) =>
    message.viewerHasLiked === viewerHasLiked
      ? message
      : { ...message, viewerHasLiked, likeCount: message.likeCount + (viewerHasLiked ? 1 : -1) };
