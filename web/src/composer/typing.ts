import type { Api } from '../api/api.ts';
import { SetTypingDocument } from '../generated/graphql.ts';

/** Informs the server that the viewer is typing. The server lets this expire after 6 s. */
export interface Typing {
  typed(): void;
  stopped(): void;
}

/** While the viewer types, the server is informed again after this time, before it lets the last start expire. */
const REPEATED_AFTER_MS = 4_000;
/** The server does not publish a second start within this time, even after a stop in between. */
const PUBLISHED_AFTER_MS = 2_000;

export function createTyping(
  api: Pick<Api, 'mutateUncached'>,
  roomId: string,
  now: () => number = Date.now,
): Typing {
  let sentAt: number | undefined;
  let isTyping = false;
  const send = (typing: boolean) => {
    isTyping = typing;
    // If the request fails, others only do not see that the viewer is typing.
    api.mutateUncached(SetTypingDocument, { input: { roomId, typing } }).catch(() => {});
  };
  return {
    typed() {
      if (sentAt !== undefined && now() - sentAt < (isTyping ? REPEATED_AFTER_MS : PUBLISHED_AFTER_MS))
        return;
      sentAt = now();
      send(true);
    },
    stopped() {
      if (isTyping) send(false);
    },
  };
}
