import type { Api } from '../api/api.ts';
import { SetTypingDocument } from '../generated/graphql.ts';

/** Tells the others in a room that the viewer types; the server forgets it after 6 s. */
export interface Typing {
  typed(): void;
  stopped(): void;
}

const SAID_FOR_MS = 4_000;

export function createTyping(api: Pick<Api, 'fetch'>, roomId: string, now: () => number = Date.now): Typing {
  let saidAt: number | undefined;
  const say = (typing: boolean) => {
    // Nobody is harmed where it is lost.
    api.fetch(SetTypingDocument, { input: { roomId, typing } }).catch(() => {});
  };
  return {
    typed() {
      if (saidAt !== undefined && now() - saidAt < SAID_FOR_MS) return;
      saidAt = now();
      say(true);
    },
    stopped() {
      if (saidAt === undefined) return;
      saidAt = undefined;
      say(false);
    },
  };
}
