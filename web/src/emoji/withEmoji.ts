import { browserClock, type Clock } from '../state/clock.ts';
import { loadWithRetry } from '../ui/loadWithRetry.ts';
import { mayHaveCodes } from './codes.ts';

/** A message waits for the data of emoji for at most this time. */
const WAIT_MS = 2_500;

export interface WithEmojiOptions {
  /** Loads what replaces the codes, and replaces them. */
  readonly replace?: (body: string) => Promise<string>;
  readonly clock?: Clock;
}

/**
 * A message's text as it is sent, with emoji instead of codes such as `:tada:`. While a user types, codes are replaced
 * only once the data of emoji is loaded, and a text may be pasted. Resolves with the text as it is if the data cannot be
 * loaded in 2.5 s; never rejects.
 */
export async function withEmoji(body: string, options: WithEmojiOptions = {}): Promise<string> {
  const { replace = loadAndReplace, clock = browserClock } = options;
  if (!mayHaveCodes(body)) return body;
  return new Promise((resolve) => {
    const cancel = clock.after(WAIT_MS, () => resolve(body));
    replace(body)
      .catch(() => body)
      .then(resolve)
      .finally(cancel);
  });
}

const loadAndReplace = async (body: string): Promise<string> => {
  const { default: replaceCodes } = await loadWithRetry(() => import('./replaceCodes.ts'));
  return replaceCodes(body);
};
