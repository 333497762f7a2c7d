import { defined } from '../../../src/core/defined.ts';
import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import type { Item } from '../../../src/dynamo/item.ts';
import { type Key, keys, ranges } from '../../../src/dynamo/keys.ts';
import type { Change } from '../../../src/stream/change.ts';

/** What `createDeadLetters` stores for a change. */
interface DeadLetter {
  readonly sequence: string;
  readonly kind: Change['kind'];
  readonly item: Key;
  /** By the names of their handlers. */
  readonly failures: readonly DeadLetterFailure[];
}

interface DeadLetterFailure {
  readonly handler: string;
  readonly error: string;
  readonly message: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const FAILURE = 'failure:';

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
