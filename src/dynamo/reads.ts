import { OutageError } from '../core/errors.ts';
import { backoff } from '../core/retry.ts';
import { type Calls, unitsOf } from './calls.ts';
import type { Item } from './item.ts';
import { type Key, type KeyRange, keyName, keyOf } from './keys.ts';
import { createSharedReads } from './sharedReads.ts';
import { INDEX } from './table.ts';
import type { Input } from './transport/transport.ts';
import { type Guard, placeholderParams } from './write.ts';

export interface PageRequest {
  /** How many items at most. A page has fewer only if the range ends. */
  readonly limit: number;
  /** Newest (largest key) first. */
  readonly reverse?: boolean;
  /** Start behind this sort key (in the direction of reading), which need not exist any more. */
  readonly after?: string;
}

export interface IndexPageRequest extends Omit<PageRequest, 'after'> {
  /** The last item's keys, including those of the index. Absent: start at the end. */
  readonly startKey?: Item;
  /** Only entries whose sort key is between these two; then that of `startKey` is, too. */
  readonly between?: Omit<KeyRange, 'pk'>;
}

/** One of several parts of the table, which are read side by side. */
export interface TablePart {
  /** 0, 1, … */
  readonly segment: number;
  /** How many parts there are. */
  readonly segments: number;
}

export interface ScanPage {
  readonly items: readonly Item[];
  /** How many items were read, with those that do not meet the condition. */
  readonly scanned: number;
  /** Read units that DynamoDB charged. */
  readonly units: number;
  /** The key to continue after. Absent: the table ends. */
  readonly next?: Key;
}

export interface Page {
  readonly items: readonly Item[];
  /** Whether the range has more in the direction of reading: proven, by one item read beyond the page. */
  readonly more: boolean;
}

type RangeInput = Omit<Input<'Query'>, 'TableName' | 'Limit' | 'ScanIndexForward'>;

const BATCH_GET_MAX = 100;
/**
 * Items of one page of a scan: about those that fit in its 1 MB. Without a limit the embedded database reads all the
 * rest of the table for each page, 1.1 s of 500,000 items, and so 400 pages of it. With one it reads 0.1 s.
 */
export const SCAN_MAX = 5_000;

/** Reads of the table, which are strongly consistent, and of its index. */
export function createReads({ call, open, table, callMs, metering, inTable }: Calls) {
  const sharedPages = createSharedReads<Page>({ open: open.own });

  async function get(Key: Key): Promise<Item | undefined> {
    return (await call('GetItem', { Key, ConsistentRead: true, ...inTable })).Item;
  }

  /** Any number of keys, in the order asked for. 100 in a round trip; the round trips run side by side. */
  async function batchGet(wanted: readonly Key[]): Promise<Array<Item | undefined>> {
    const unique = new Map(wanted.map((key) => [keyName(key), key]));
    const all = [...unique.values()];
    const chunks: Key[][] = [];
    for (let i = 0; i < all.length; i += BATCH_GET_MAX) chunks.push(all.slice(i, i + BATCH_GET_MAX));
    const found = new Map<string, Item>();
    await Promise.all(
      chunks.map(async (chunk) => {
        for (const item of await getChunk(chunk)) found.set(keyName(item), item);
      }),
    );
    return wanted.map((key) => found.get(keyName(key)));
  }

  async function getChunk(chunk: readonly Key[]): Promise<Item[]> {
    const items: Item[] = [];
    const until = performance.now() + callMs;
    let keysLeft: readonly Item[] = chunk.map(({ pk, sk }) => ({ pk, sk }));
    for (let attempt = 0; keysLeft.length > 0; attempt++) {
      if (attempt > 0 && !(await backoff(attempt, { until }))) throw new OutageError();
      const RequestItems = { [table]: { Keys: [...keysLeft], ConsistentRead: true } };
      const output = await call('BatchGetItem', { RequestItems, ...metering }, until - performance.now());
      // There is one table. If it was asked for by its ARN, some databases answer with its name.
      items.push(...Object.values(output.Responses ?? {}).flat());
      keysLeft = Object.values(output.UnprocessedKeys ?? {}).flatMap(({ Keys = [] }) => Keys);
    }
    return items;
  }

  /** One page of a range: one round trip under 1 MB. It may wait up to 20 ms to share one for the same range. */
  const query = ({ pk, from, to }: KeyRange, page: PageRequest): Promise<Page> =>
    pageOf(page, {
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: { ':pk': pk, ':from': from, ':to': to },
      ConsistentRead: true,
      // DynamoDB checks that an exclusive start is in the range.
      ...(page.after === undefined ? {} : { ExclusiveStartKey: { pk, sk: page.after } }),
    });

  /** One page of keys from the index, in the index's order. Lags behind the table. */
  const queryIndex = (gsi1pk: string, page: IndexPageRequest): Promise<Page> =>
    pageOf(page, {
      IndexName: INDEX,
      KeyConditionExpression:
        page.between === undefined ? 'gsi1pk = :pk' : 'gsi1pk = :pk AND gsi1sk BETWEEN :from AND :to',
      ExpressionAttributeValues: {
        ':pk': gsi1pk,
        ...(page.between === undefined ? {} : { ':from': page.between.from, ':to': page.between.to }),
      },
      ...(page.startKey === undefined ? {} : { ExclusiveStartKey: page.startKey }),
    });

  const pageOf = (page: PageRequest, range: RangeInput): Promise<Page> =>
    open.count(() =>
      sharedPages(JSON.stringify([page.limit, page.reverse, range]), () => readPage(page, range)),
    );

  /** Queries until the page is full or the range ends: a response may end early (after 1 MB), and even be empty. */
  async function readPage({ limit, reverse = false }: PageRequest, range: RangeInput): Promise<Page> {
    const items: Item[] = [];
    let input: Omit<Input<'Query'>, 'Limit'> = { ScanIndexForward: !reverse, ...inTable, ...range };
    for (;;) {
      const output = await call('Query', { Limit: limit + 1 - items.length, ...input });
      items.push(...(output.Items ?? []));
      const { LastEvaluatedKey } = output;
      if (LastEvaluatedKey === undefined || items.length > limit) break;
      input = { ...input, ExclusiveStartKey: LastEvaluatedKey };
    }
    return { items: items.slice(0, limit), more: items.length > limit };
  }

  /**
   * The items that meet a condition among the next `SCAN_MAX` of the table, 1 MB at most: one step of a job that reads
   * the whole table. Costs at most 256 read units. With `part`, of this part of the table.
   */
  async function scanPage(
    { condition, ...placeholders }: Guard,
    after?: Key,
    part?: TablePart,
  ): Promise<ScanPage> {
    const output = await call('Scan', {
      TableName: table,
      ReturnConsumedCapacity: 'TOTAL',
      ...(part === undefined ? {} : { Segment: part.segment, TotalSegments: part.segments }),
      ConsistentRead: true,
      Limit: SCAN_MAX,
      ...placeholderParams(placeholders),
      ...(condition === undefined ? {} : { FilterExpression: condition }),
      ...(after === undefined ? {} : { ExclusiveStartKey: { ...after } }),
    });
    const { Items: items = [], ScannedCount: scanned = items.length, LastEvaluatedKey } = output;
    const page = { items, scanned, units: unitsOf('Scan', output).readUnits };
    return LastEvaluatedKey === undefined ? page : { ...page, next: keyOf(LastEvaluatedKey) };
  }

  /** Every item of the table that meets a condition, page by page. Reads the whole table, to rebuild or verify. */
  async function* scan(guard: Guard): AsyncGenerator<Item> {
    for (let page = await scanPage(guard); ; page = await scanPage(guard, page.next)) {
      yield* page.items;
      if (page.next === undefined) return;
    }
  }

  return { get, batchGet, query, queryIndex, scanPage, scan };
}
