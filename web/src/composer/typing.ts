import type { Api } from '../api/api.ts';
import { SetTypingDocument } from '../generated/graphql.ts';

/** Tells the others in a room that the viewer types; the server forgets it after 6 s. */
export interface Typing {
  typed(): void;
  stopped(): void;
}

const SAID_FOR_MS = 4_000;
/** Sooner the server does not pass it on, also where it was told in between that one has stopped. */
const PASSED_ON_AFTER_MS = 2_000;

export function createTyping(
  api: Pick<Api, 'mutateUncached'>,
  roomId: string,
  now: () => number = Date.now,
): Typing {
  let saidAt: number | undefined;
  let holds = false;
  const say = (typing: boolean) => {
    holds = typing;
    // Nobody is harmed where it is lost.
    api.mutateUncached(SetTypingDocument, { input: { roomId, typing } }).catch(() => {});
  };
  return {
    typed() {
      if (saidAt !== undefined && now() - saidAt < (holds ? SAID_FOR_MS : PASSED_ON_AFTER_MS)) return;
      saidAt = now();
      say(true);
    },
    stopped() {
      if (holds) say(false);
    },
  };
}
