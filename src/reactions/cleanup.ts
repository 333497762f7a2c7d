import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Item } from '../dynamo/item.ts';
import { parseKey } from '../dynamo/keys.ts';
import type { MessageKey } from '../messages/message.ts';

/** Something of a deleted message is left that cannot be cleared away now. */
export class LeftoversRemain extends Error {
  override readonly name = 'LeftoversRemain';
}

export interface LeftoversOptions {
  readonly dynamo: Dynamo;
  /** What the features clear away after a deleted message, which they are given as it was read. */
  readonly clear: ReadonlyArray<(dynamo: Dynamo, message: MessageKey, item: Item) => Promise<void>>;
  readonly signal?: AbortSignal;
}

/**
 * Clears after every deleted message: for when the stream has forgotten records that nobody read. Reads the
 * whole table once, so it is not for requests. Safe while the system runs, and to be repeated. Resolves to the
 * number of messages of which something is left all the same: one such does not keep the others.
 */
export async function clearLeftovers({ dynamo, clear, signal }: LeftoversOptions): Promise<number> {
  let remaining = 0;
  for await (const item of dynamo.scan({ condition: 'attribute_exists(deletedAt)' })) {
    signal?.throwIfAborted();
    const key = parseKey(item as { pk: string; sk: string });
    if (key.type !== 'root' && key.type !== 'reply') continue;
    try {
      for (const one of clear) await one(dynamo, key, item);
    } catch (error) {
      if (!(error instanceof LeftoversRemain)) throw error;
      remaining++;
    }
  }
  return remaining;
}
