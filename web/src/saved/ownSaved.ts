import type { OwnReactions } from '../reactions/reactionKind.ts';

/** Whether the viewer has saved a message. Events of the room do not have it, and a deleted message stays saved. */
export const ownSaved: OwnReactions = {
  isOnMessage: () => false,
  kept: (_message, known) => ({ viewerSaved: known?.viewerSaved ?? null }),
  changed: () => ({}),
  cleared: {},
};
