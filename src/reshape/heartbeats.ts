import { defined } from '../core/defined.ts';
import { secondsOf } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Item } from '../dynamo/item.ts';
import { keyOf, keys, parseKey, ranges } from '../dynamo/keys.ts';
import { FIRST_SHAPE } from '../dynamo/shapes.ts';

/** How often a process says that it is there, in milliseconds. */
export const HEARTBEAT_EVERY_MS = 10_000;
/** A process that has been silent for this long has ended. Clocks of machines may differ by a few seconds. */
const SILENT_AFTER_MS = 60_000;
/** A function rests as long as it is not called. After this time without a call it is not expected any more. */
const RESTS_MS = 3_600_000;
const PAGE = 1_000;

/** What a process says about itself. */
export interface Heartbeat {
  /** An id that the process made for itself. */
  readonly server: string;
  /** The host's name, for people. */
  readonly host: string;
  /** Which process of that host it is, for people: what it does, its pid and its port. Absent: an earlier release. */
  readonly process?: string;
  /** The shapes that it knows. */
  readonly knows: readonly number[];
  /** The version of the item `SHAPE` that it follows. */
  readonly follows: number;
  /** Whether it can go on in another table without a restart. Absent: no. */
  readonly canMove?: boolean;
  /**
   * Whether the other table may be named by its ARN. Absent: no, as in releases that use another prefix in Redis then.
   */
  readonly takesArns?: boolean;
  /** It works from time to time, and says nothing in between: a function. Absent: no. */
  readonly rests?: boolean;
  /** The version of `SHAPE` that announces another table, if it has opened that one. */
  readonly readyFor?: number;
  /** The version of `SHAPE` that freezes the table, if this process has stopped using it. */
  readonly stoppedFor?: number;
  /** When it counts as ended if it says nothing until then: seconds since 1970. Only of what was read. */
  readonly silentAt?: number;
}

/** For people: with it they find the process, and its log. */
export const nameOf = ({ server, host, process }: Heartbeat): string =>
  `${server} on ${host}${process === undefined ? '' : ` (${process})`}`;

export const heartbeatItem = ({ server, ...rest }: Heartbeat, now: number) => ({
  ...keys.heartbeat(server),
  v: FIRST_SHAPE,
  ...rest,
  silentAt: secondsOf(now + SILENT_AFTER_MS),
  expiresAt: secondsOf(now + (rest.rests === true ? RESTS_MS : SILENT_AFTER_MS)),
});

const heartbeatOf = (server: string, item: Item): Heartbeat => ({
  server,
  host: String(item.host ?? ''),
  knows: item.knows as number[],
  follows: item.follows as number,
  canMove: item.canMove === true,
  ...defined({
    process: item.process as string | undefined,
    takesArns: item.takesArns === true ? true : undefined,
    rests: item.rests === true ? true : undefined,
    readyFor: item.readyFor as number | undefined,
    stoppedFor: item.stoppedFor as number | undefined,
    silentAt: (item.silentAt ?? item.expiresAt) as number | undefined,
  }),
});

/**
 * The processes that use the table at this moment, one query for each thousand. `now`: milliseconds since 1970. With
 * `resting`, also functions that have been called within the last hour.
 */
export async function readHeartbeats(
  dynamo: Pick<Dynamo, 'query'>,
  now: number,
  { resting = false } = {},
): Promise<Heartbeat[]> {
  const found: Heartbeat[] = [];
  let after: string | undefined;
  for (let more = true; more; ) {
    const page = await dynamo.query(ranges.heartbeats(), defined({ limit: PAGE, after }));
    for (const item of page.items) {
      const key = parseKey(keyOf(item));
      // DynamoDB may keep expired items for days.
      const until = resting ? item.expiresAt : (item.silentAt ?? item.expiresAt);
      const isOver = (until as number) < secondsOf(now);
      if (key.type === 'heartbeat' && !isOver) found.push(heartbeatOf(key.server, item));
    }
    after = page.items.at(-1)?.sk as string | undefined;
    more = page.more;
  }
  return found;
}
