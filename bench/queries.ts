/**
 * What does an HTTP query cost the server, compared with Yoga, Mercurius with graphql-jit and Apollo Server, which
 * answer the same JSON from memory?
 *
 * The queries are the smallest one, the viewer, and the page of 50 messages that the web client asks for (20 authors,
 * 17 liked, 10 threads, stamps). The server and the client are separate processes, and only the server's CPU is
 * counted; ours includes its part of every database call, but not the database. The servers take turns, so that a busy
 * moment of the machine meets all of them. Processes of the same code differ by a third, for as long as they live, so
 * each server is started PROCESSES times, and the figures are the medians of all turns.
 */
import { isDeepStrictEqual } from 'node:util';
import { recordResult } from './results.ts';
import { percentile, printTable, rounded, startWorker } from './support.ts';

const WIDTH = 16;
/** Requests before the first turn: with 400, every server takes two to three times as long for `{ __typename }`. */
const WARM_UP = 5_000;
const REQUESTS = 500;
const TURNS = 5;
const PROCESSES = 3;

export interface Query {
  readonly name: string;
  /** The requests take turns with them. */
  readonly bodies: readonly string[];
}

/** A server under test, as its worker describes it. */
export interface Target {
  readonly url: string;
  /** The tokens of users, who all get the same answers. */
  readonly tokens: readonly string[];
  readonly queries: readonly Query[];
}

interface Measured {
  readonly answer: string;
  readonly cpuMicros: number;
  readonly perSecond: number;
}

const script = (name: string) => new URL(`./queries/${name}.ts`, import.meta.url);

type Kind = 'tsudoi' | 'yoga' | 'mercurius' | 'apollo';

interface Side {
  readonly queries: readonly Query[];
  load(query: Query, count: number): Promise<Measured>;
  stop(): Promise<void>;
}

async function open(kind: Kind, answers: Readonly<Record<string, string>> = {}): Promise<Side> {
  const server = await startWorker(script(kind), { answers });
  const client = await startWorker(script('client'), {});
  const { queries, url, tokens } = await server.ask<Target>({ command: 'target' });
  const cpu = () => server.ask<number>({ command: 'cpu' });
  return {
    queries,
    async load({ bodies }, count) {
      const before = await cpu();
      const asked = { url, tokens, bodies, count, width: WIDTH };
      const { answer, ms } = await client.ask<{ answer: string; ms: number }>(asked);
      const cpuMicros = (((await cpu()) - before) * 1_000) / count;
      return { answer, cpuMicros, perSecond: (count * 1_000) / ms };
    },
    async stop() {
      await client.stop();
      await server.stop();
    },
  };
}

const kinds: readonly Kind[] = ['tsudoi', 'yoga', 'mercurius', 'apollo'];
const turns = Object.fromEntries(kinds.map((kind) => [kind, {}])) as Record<Kind, Record<string, Measured[]>>;

/** All turns of one process of each server. */
async function measure(): Promise<void> {
  const own = await open('tsudoi');
  const answers: Record<string, string> = {};
  for (const query of own.queries) {
    // The profile of each user is taken from the token at the first request.
    await own.load(query, WIDTH);
    answers[query.name] = (await own.load(query, 1)).answer;
  }
  const sides: Readonly<Record<Kind, Side>> = {
    tsudoi: own,
    yoga: await open('yoga', answers),
    mercurius: await open('mercurius', answers),
    apollo: await open('apollo', answers),
  };
  for (const query of own.queries) {
    for (const kind of kinds) await sides[kind].load(query, WARM_UP);
    for (let turn = 0; turn < TURNS; turn++) {
      for (const kind of kinds) {
        turns[kind][query.name] ??= [];
        turns[kind][query.name]?.push(await sides[kind].load(query, REQUESTS));
      }
    }
    checkAnswers(query.name);
  }
  for (const kind of kinds) await sides[kind].stop();
}

/** Throws if a peer has answered with other values than we have. */
function checkAnswers(query: string): void {
  const data = (kind: Kind): unknown => JSON.parse(turns[kind][query]?.at(-1)?.answer ?? '{}').data;
  for (const kind of kinds) {
    if (!isDeepStrictEqual(data(kind), data('tsudoi')))
      throw new Error(`${kind} has answered ${query} with other values.`);
  }
}

for (let process = 0; process < PROCESSES; process++) await measure();

const rows = Object.entries(turns.tsudoi).map(([query, own]) => {
  const median = (kind: Kind, of: 'cpuMicros' | 'perSecond') =>
    percentile(
      (turns[kind][query] ?? []).map((one) => one[of]),
      50,
    );
  const micros = (kind: Kind) => median(kind, 'cpuMicros');
  return {
    query,
    'JSON, kB': rounded((own[0]?.answer.length ?? 0) / 1_000),
    'Tsudoi, µs': rounded(micros('tsudoi'), 0),
    'Yoga from memory, µs': rounded(micros('yoga'), 0),
    'Mercurius, µs': rounded(micros('mercurius'), 0),
    'Apollo, µs': rounded(micros('apollo'), 0),
    'Tsudoi / Yoga': rounded(micros('tsudoi') / micros('yoga'), 2),
    'Tsudoi / Mercurius': rounded(micros('tsudoi') / micros('mercurius'), 2),
    'Tsudoi, requests per second': rounded(median('tsudoi', 'perSecond'), 0),
  };
});
printTable(
  `CPU of one query, ${WIDTH} at a time, median of ${PROCESSES} processes with ${TURNS} turns of ${REQUESTS} requests each`,
  rows,
);
recordResult('queries', rows);
