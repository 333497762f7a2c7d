/**
 * What does each way of limiting a room to its seats cost?
 *
 * In each run, CROWD users try to join a room with SEATS seats, WIDTH at a time, on an embedded DynamoDB in a file.
 * Half of them get a seat. Each way does the minimum: it takes a seat and writes the member item. The run fails unless
 * there are exactly SEATS members. Rounds alternate, so that all ways run under the same conditions.
 */
import { ConditionsFailed } from '../src/dynamo/errors.ts';
import { keys, MAX_SUFFIX } from '../src/dynamo/keys.ts';
import { openTestDynamo, type TestDynamo } from '../test/support/database/dynamo.ts';
import { followStream } from '../test/support/stream/stream.ts';
import { recordResult } from './results.ts';
import { inParallel, percentile, printTable, rounded } from './support.ts';

const WIDTH = 16;
const SEATS = 100;
const CROWD = 200;
const ROUNDS = 3;

const room = 'someroom';
const pk = keys.room(room).pk;
const member = (i: number) => ({
  put: { ...keys.member(room, `u${i}`) },
  condition: 'attribute_not_exists(pk)',
});
const freeSeat = (n: number) => ({ pk, sk: `SEAT#${String(n).padStart(4, '0')}` });

interface Tally {
  requests: number;
  refused: number;
  writeUnits: number;
}

/** Resolves to whether the user got a seat. */
type Join = (i: number) => Promise<boolean>;
interface Way {
  readonly name: string;
  prepare(db: TestDynamo, tally: Tally): Promise<{ join: Join; end?: () => Promise<void> }>;
}

/** Runs a transaction. Resolves to false if it was refused, and counts the refusal. */
async function attempted(tally: Tally, transaction: Promise<void>): Promise<boolean> {
  try {
    await transaction;
    return true;
  } catch (error) {
    if (!(error instanceof ConditionsFailed)) throw error;
    tally.requests++;
    tally.refused++;
    return false;
  }
}

const conditionalCounter: Way = {
  name: 'conditional counter',
  async prepare({ dynamo }, tally) {
    await dynamo.put({ ...keys.seats(room), taken: 0, capacity: SEATS });
    const take = {
      key: keys.seats(room),
      update: 'SET taken = taken + :one',
      condition: 'taken < #capacity',
      names: { '#capacity': 'capacity' },
      values: { ':one': 1 },
    };
    return { join: (i) => attempted(tally, dynamo.transact([take, member(i)])) };
  },
};

const versionedLock: Way = {
  name: 'versioned lock object',
  async prepare({ dynamo }, tally) {
    await dynamo.put({ ...keys.seats(room), taken: 0, rev: 0 });
    return {
      async join(i) {
        for (;;) {
          const seats = await dynamo.get(keys.seats(room));
          if (seats === undefined || Number(seats.taken) >= SEATS) return false;
          const rev = Number(seats.rev);
          const take = {
            key: keys.seats(room),
            update: 'SET taken = :taken, rev = :next',
            condition: 'rev = :rev',
            values: { ':taken': Number(seats.taken) + 1, ':next': rev + 1, ':rev': rev },
          };
          if (await attempted(tally, dynamo.transact([take, member(i)]))) return true;
        }
      },
    };
  },
};

const preMadeSeats: Way = {
  name: 'pre-made seats',
  async prepare({ dynamo }, tally) {
    for (let n = 0; n < SEATS; n++) await dynamo.put(freeSeat(n));
    const all = { pk, from: 'SEAT#', to: `SEAT#${MAX_SUFFIX}` };
    return {
      async join(i) {
        for (;;) {
          const { items } = await dynamo.query(all, { limit: SEATS });
          const free = items.filter(({ holder }) => holder === undefined);
          const chosen = free[Math.floor(Math.random() * free.length)];
          if (chosen === undefined) return false;
          const take = {
            key: { pk, sk: String(chosen.sk) },
            update: 'SET holder = :person',
            condition: 'attribute_not_exists(holder)',
            values: { ':person': `u${i}` },
          };
          if (await attempted(tally, dynamo.transact([take, member(i)]))) return true;
        }
      },
    };
  },
};

const throughTheStream: Way = {
  name: 'serial, from the stream',
  async prepare(db) {
    const { dynamo } = db;
    await dynamo.put({ ...keys.seats(room), taken: 0 });
    const news = await followStream(db);
    const answers = new Map<string, (got: boolean) => void>();
    let taken = 0;
    let over = false;
    // The only writer of seats, so it can keep the count in memory. It answers directly, as fast as the best bus.
    const consuming = (async () => {
      while (!over) {
        for (const { kind, new: item } of await news()) {
          const who = item?.wants;
          if (kind !== 'INSERT' || typeof who !== 'string') continue;
          const got = taken < SEATS;
          if (got) {
            taken++;
            const seats = { key: keys.seats(room), update: 'SET taken = :n', values: { ':n': taken } };
            await dynamo.transact([seats, { put: { ...keys.member(room, who) } }]);
          }
          answers.get(who)?.(got);
        }
      }
    })();
    return {
      async join(i) {
        const answer = new Promise<boolean>((resolve) => answers.set(`u${i}`, resolve));
        await dynamo.put({ ...keys.ban(room, `u${i}`), wants: `u${i}` });
        return answer;
      },
      async end() {
        over = true;
        await consuming;
      },
    };
  },
};

async function run(way: Way) {
  const tally: Tally = { requests: 0, refused: 0, writeUnits: 0 };
  const db = await openTestDynamo({
    file: true,
    onCost({ writeUnits }) {
      tally.requests++;
      tally.writeUnits += writeUnits;
    },
  });
  try {
    const { join, end } = await way.prepare(db, tally);
    Object.assign(tally, { requests: 0, refused: 0, writeUnits: 0 });
    const waits: number[] = [];
    let got = 0;
    const start = performance.now();
    await inParallel(CROWD, WIDTH, async (i) => {
      const from = performance.now();
      if (await join(i)) got++;
      waits.push(performance.now() - from);
    });
    const ms = performance.now() - start;
    const { requests, refused, writeUnits } = tally;
    await end?.();
    const { items } = await db.dynamo.query(
      { pk, from: 'MEMBER#', to: `MEMBER#${MAX_SUFFIX}` },
      { limit: CROWD },
    );
    if (got !== SEATS || items.length !== SEATS) throw new Error(`${got} users got one of ${SEATS} seats.`);
    return { ms, requests, refused, writeUnits, p95: percentile(waits, 95) };
  } finally {
    await db.stop();
  }
}

const ways = [conditionalCounter, versionedLock, preMadeSeats, throughTheStream];
const results = new Map(ways.map((way) => [way, [] as Array<Awaited<ReturnType<typeof run>>>]));
for (let round = 0; round < ROUNDS; round++) for (const way of ways) results.get(way)?.push(await run(way));

/** The round with the median time. */
const middle = (way: Way) => (results.get(way) ?? []).sort((a, b) => a.ms - b.ms)[Math.floor(ROUNDS / 2)];
const best = middle(conditionalCounter)?.ms ?? Number.NaN;

const rows = ways.flatMap((way) => {
  const of = middle(way);
  if (of === undefined) return [];
  return {
    way: way.name,
    'time (counter = 1)': rounded(of.ms / best, 2),
    'wait p95, ms': rounded(of.p95, 0),
    'requests per user': rounded(of.requests / CROWD, 2),
    'of them refused': rounded(of.refused / CROWD, 2),
    'write units per seat': rounded(of.writeUnits / SEATS, 1),
  };
});
printTable(`${CROWD} users for ${SEATS} seats, ${WIDTH} at a time`, rows);
recordResult('seats', rows);
