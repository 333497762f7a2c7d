import type { Message } from './message.ts';

/**
 * What is told of messages while an answer is on its way. The answer may have been read before that, and would
 * take back what has been told, or leave out what was said since.
 */
export interface News {
  tell(message: Message): void;
  /** Something was said that nobody was told of. */
  miss(): void;
  /** Begins to listen; the returned function ends it. Undefined: something was missed, so ask again. */
  collect(): () => readonly Message[] | undefined;
}

interface Listening {
  readonly told: Message[];
  missed: boolean;
}

/** More than a busy room says in the second that an answer takes. */
const MOST = 500;

export function createNews(): News {
  const listening = new Set<Listening>();
  return {
    tell(message) {
      for (const one of listening) {
        if (one.told.length < MOST) one.told.push(message);
        else one.missed = true;
      }
    },
    miss() {
      for (const one of listening) one.missed = true;
    },
    collect() {
      const one: Listening = { told: [], missed: false };
      listening.add(one);
      return () => {
        listening.delete(one);
        return one.missed ? undefined : one.told;
      };
    },
  };
}
