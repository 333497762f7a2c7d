import { defined } from '../core/defined.ts';
import { DAY_S, secondsOf } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Item } from '../dynamo/item.ts';
import { type Key, keyOf, keys, ranges } from '../dynamo/keys.ts';
import { FIRST_SHAPE } from '../dynamo/shapes.ts';
import type { Change } from './change.ts';

/**
 * A change that a handler could not process, stored for 30 days. It names the item, but has none of its content: derived
 * data is rebuilt from the current item (see `src/rebuild`), and deleted messages must not survive here.
 */
export interface DeadLetter {
  readonly sequence: string;
  readonly kind: Change['kind'];
  readonly item: Key;
  readonly failures: readonly DeadLetterFailure[];
}

export interface DeadLetterFailure {
  readonly handler: string;
  /** The error's name and message, each cut to a bounded length. */
  readonly error: string;
  readonly message: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

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

/** The dispatcher's `deadLetter`, writing to the table. Idempotent. */
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

interface ListOptions {
  readonly dynamo: Pick<Dynamo, 'query'>;
  /** The stream's label. */
  readonly stream: string;
  readonly limit?: number;
  /** The last sequence number of the previous page. */
  readonly after?: string;
}

/** The dead letters of a stream, oldest first, one page at a time. */
export async function listDeadLetters({ dynamo, stream, limit = 100, after }: ListOptions): Promise<{
  readonly deadLetters: readonly DeadLetter[];
  readonly more: boolean;
}> {
  const start = after === undefined ? undefined : keys.deadLetter(stream, after).sk;
  const page = await dynamo.query(ranges.deadLetters(stream), defined({ limit, after: start }));
  return { deadLetters: page.items.map(deadLetterOf), more: page.more };
}

/** The changed item's key, from the image that exists. */
const changedKey = ({ old, new: now, unreadable }: Change): Key =>
  unreadable?.item ?? keyOf(now ?? old ?? {});

function deadLetterOf(item: Item): DeadLetter {
  return {
    sequence: String(item.sequence),
    kind: item.kind as Change['kind'],
    item: item.changed as Key,
    failures: Object.entries(item)
      .filter(([name]) => name.startsWith(FAILURE))
      .map(([name, failure]) => ({
        handler: name.slice(FAILURE.length),
        ...(failure as Omit<DeadLetterFailure, 'handler'>),
      }))
      .sort((a, b) => (a.handler < b.handler ? -1 : 1)),
  };
}
