/**
 * What does an HTTP query cost the server, compared with Yoga, Mercurius with graphql-jit and Apollo Server, which answer
 * the same JSON from memory?
 *
 * The queries are the smallest one, the viewer, and the page of 50 messages that the web client asks for (20 authors,
 * 17 liked, 10 threads, stamps). The server and the client are separate processes, and only the server's CPU is
 * counted; ours includes its part of every database call, but not the database. The servers take turns, so that a busy
 * moment of the machine meets all of them, and the figures are the medians of ROUNDS turns.
 */
import { isDeepStrictEqual } from 'node:util';
import { recordResult } from './results.ts';
import { percentile, printTable, rounded, startWorker } from './support.ts';

const WIDTH = 16;
/** Requests before the first turn: with 400, every server takes two to three times as long for `{ __typename }`. */
const WARM_UP = 5_000;
const REQUESTS = 500;
const ROUNDS = 7;

export interface Query {
  readonly name: string;
  readonly body: string;
}

/** A server under test, as its worker describes it. */
export interface Target {
  readonly url: string;
  readonly token: string;
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
  const { queries, url, token } = await server.ask<Target>({ command: 'target' });
  const cpu = () => server.ask<number>({ command: 'cpu' });
  return {
    queries,
    async load({ body }, count) {
      const before = await cpu();
      const asked = { url, token, body, count, width: WIDTH };
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

const own = await open('tsudoi');
const answers: Record<string, string> = {};
for (const query of own.queries) answers[query.name] = (await own.load(query, 1)).answer;
const sides: Readonly<Record<Kind, Side>> = {
  tsudoi: own,
  yoga: await open('yoga', answers),
  mercurius: await open('mercurius', answers),
  apollo: await open('apollo', answers),
};
const results: Record<Kind, Record<string, Measured>> = { tsudoi: {}, yoga: {}, mercurius: {}, apollo: {} };
const kinds = Object.keys(sides) as Kind[];
for (const query of own.queries) {
  const rounds = new Map<Kind, Measured[]>(kinds.map((kind) => [kind, []]));
  for (const kind of kinds) await sides[kind].load(query, WARM_UP);
  for (let round = 0; round < ROUNDS; round++) {
    for (const kind of kinds) rounds.get(kind)?.push(await sides[kind].load(query, REQUESTS));
  }
  const median = (kind: Kind, of: 'cpuMicros' | 'perSecond') =>
    percentile(
      (rounds.get(kind) ?? []).map((one) => one[of]),
      50,
    );
  for (const kind of kinds) {
    const answer = rounds.get(kind)?.at(-1)?.answer ?? '';
    results[kind][query.name] = {
      answer,
      cpuMicros: median(kind, 'cpuMicros'),
      perSecond: median(kind, 'perSecond'),
    };
  }
}
for (const kind of kinds) await sides[kind].stop();
const { tsudoi: ours, ...peers } = results;

/** The microseconds of a peer, after a check that it has answered with the same values. */
function microsOf(peer: keyof typeof peers, query: string, answer: string): number {
  const measured = peers[peer][query];
  if (measured === undefined) throw new Error(`${peer} has not answered ${query}.`);
  if (!isDeepStrictEqual(JSON.parse(measured.answer).data, JSON.parse(answer).data)) {
    throw new Error(`${peer} has answered ${query} with other values.`);
  }
  return measured.cpuMicros;
}

const rows = Object.entries(ours).map(([name, { answer, cpuMicros, perSecond }]) => {
  const [ofYoga, ofMercurius, ofApollo] = [
    microsOf('yoga', name, answer),
    microsOf('mercurius', name, answer),
    microsOf('apollo', name, answer),
  ];
  return {
    query: name,
    'JSON, kB': rounded(answer.length / 1_000),
    'Tsudoi, µs': rounded(cpuMicros, 0),
    'Yoga from memory, µs': rounded(ofYoga, 0),
    'Mercurius, µs': rounded(ofMercurius, 0),
    'Apollo, µs': rounded(ofApollo, 0),
    'Tsudoi / Yoga': rounded(cpuMicros / ofYoga, 2),
    'Tsudoi / Mercurius': rounded(cpuMicros / ofMercurius, 2),
    'Tsudoi, requests per second': rounded(perSecond, 0),
  };
});
printTable(`CPU of one query, ${WIDTH} at a time, median of ${ROUNDS} turns of ${REQUESTS} requests`, rows);
recordResult('queries', rows);
