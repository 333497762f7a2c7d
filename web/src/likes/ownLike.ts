import type { OwnReactions } from '../reactions/reactionKind.ts';

/** Whether the viewer likes a message. */
export const ownLike: OwnReactions = {
  isOnMessage: ({ likeCount }) => likeCount > 0,
  kept: ({ likeCount }, known) => ({ viewerHasLiked: likeCount > 0 && known?.viewerHasLiked === true }),
  changed: (_message, { kind }) =>
    kind === 'LIKED' || kind === 'UNLIKED' ? { viewerHasLiked: kind === 'LIKED' } : {},
  cleared: { likeCount: 0, viewerHasLiked: false },
};
