import { type Timestamp, toTimestamp } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { Item } from '../../dynamo/item.ts';
import { type Key, type ParsedKey, parseKey } from '../../dynamo/keys.ts';
import type { Change } from '../../stream/change.ts';
import type { Retention } from '../notification.ts';
import { createActivityReader } from './activity.ts';
import type { Notifier } from './notifier.ts';
import type { Replies } from './replies.ts';

/** How much is looked at before people are told of it. */
const CHUNK = 200;

export interface MissedOptions {
  readonly dynamo: Dynamo;
  readonly notifier: Notifier;
  readonly replies: Replies;
  readonly retention: Retention;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Told of every item read. */
  readonly onItem?: () => void;
  readonly signal?: AbortSignal;
}

/**
 * Tells people of what nobody told them of, because the stream had forgotten it or a handler could not digest
 * it. Every like, stamp, reply and mention of the last retention is told once more, as older than all that is
 * known: so it changes nothing, but where nothing is known of it. What is known is kept for longer than that.
 *
 * Mentions in a message that was edited are left out: whom an edit mentions is told nothing.
 *
 * Reads the whole table once, so it is not for requests. Safe while the system runs, and to be repeated.
 * Resolves to how many notifications were made or have changed.
 */
export async function notifyMissed(options: MissedOptions): Promise<number> {
  const { dynamo, notifier, replies, retention, now, onItem, signal } = options;
  const { activitiesOf } = createActivityReader({ dynamo });
  const since: Timestamp = toTimestamp((Math.floor(now() / 1_000) - retention) * 1_000_000);
  let waiting: Change[] = [];
  let told = 0;

  async function tell(): Promise<void> {
    const [activities, ofReplies] = await Promise.all([activitiesOf(waiting), replies.activitiesOf(waiting)]);
    told += await notifier.notify([...activities, ...ofReplies.activities]);
    await ofReplies.enqueueRest();
    waiting = [];
  }

  for await (const item of dynamo.scan({})) {
    signal?.throwIfAborted();
    onItem?.();
    const key = parseKey(item as Item & Key);
    const at = doneAt(key, item);
    if (at === undefined || at < since || item.imported === true) continue;
    waiting.push(asFirst(key, item));
    if (waiting.length >= CHUNK) await tell();
  }
  await tell();
  return told;
}

/** When it was done; undefined for what nobody is told of. */
function doneAt(key: ParsedKey, item: Item): Timestamp | undefined {
  if (key.type === 'like') return item.at as Timestamp;
  if (key.type === 'stampGuard') return item.s as Timestamp;
  return (key.type === 'root' || key.type === 'reply') && item.deletedAt === undefined ? key.c : undefined;
}

/** That it was made, before all that any stream has told. */
function asFirst(key: ParsedKey, item: Item): Change {
  const { mentions, ...unsaid } = item;
  const said = mentions === undefined || item.edits !== undefined ? unsaid : { ...unsaid, mentions };
  return { stream: '', sequence: '0', kind: 'INSERT', key, new: { ...said, rev: 0 }, expired: false };
}
