import { DAY_S, secondsOf } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { type Key, keyOf, keys } from '../dynamo/keys.ts';
import { FIRST_SHAPE } from '../dynamo/shapes.ts';
import type { Change } from './change.ts';

const KEPT_SECONDS = 30 * DAY_S;
const NAME_MAX = 100;
const MESSAGE_MAX = 1_000;
/** One attribute for each handler, so that two that fail on the same change do not overwrite each other. */
const FAILURE = 'failure:';

interface DeadLettersOptions {
  readonly dynamo: Pick<Dynamo, 'update'>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * The dispatcher's `deadLetter`: stores a change that a handler could not process, for 30 days. Idempotent. A dead
 * letter names the item and the error, but has none of the item's content: derived data is rebuilt from the current
 * item (see `src/rebuild`), and deleted messages must not survive here. The error's name and message are cut.
 */
export function createDeadLetters({ dynamo, now = Date.now }: DeadLettersOptions) {
  return async (change: Change, handler: string, error: unknown): Promise<void> => {
    const at = now();
    const { name, message } = error instanceof Error ? error : { name: typeof error, message: '' };
    await dynamo.update(keys.deadLetter(change.stream, change.sequence), {
      update:
        'SET v = :v, #sequence = :sequence, kind = :kind, changed = :changed, ' +
        'expiresAt = :expiresAt, #failure = :failure',
      names: { '#failure': `${FAILURE}${handler}`, '#sequence': 'sequence' },
      values: {
        ':v': FIRST_SHAPE,
        ':sequence': change.sequence,
        ':kind': change.kind,
        ':changed': changedKey(change),
        ':expiresAt': secondsOf(at) + KEPT_SECONDS,
        ':failure': { error: name.slice(0, NAME_MAX), message: message.slice(0, MESSAGE_MAX), at },
      },
    });
  };
}

/** The changed item's key, from the image that exists. */
const changedKey = ({ old, new: now, unreadable }: Change): Key =>
  unreadable?.item ?? keyOf(now ?? old ?? {});
