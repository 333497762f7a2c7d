import type { Api } from '../api/api.ts';
import { SetTypingDocument } from '../generated/graphql.ts';

/** Informs the server that the viewer is typing. The server lets this expire after 6 s. */
export interface Typing {
  typed(): void;
  stopped(): void;
}

const SAID_FOR_MS = 4_000;
/** The server does not publish a second start within this time, even after a stop in between. */
const PASSED_ON_AFTER_MS = 2_000;

export function createTyping(api: Pick<Api, 'fetch'>, roomId: string, now: () => number = Date.now): Typing {
  let saidAt: number | undefined;
  let holds = false;
  const say = (typing: boolean) => {
    holds = typing;
    // Losing this request does no harm.
    api.fetch(SetTypingDocument, { input: { roomId, typing } }).catch(() => {});
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
