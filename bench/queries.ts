/**
 * What does an HTTP query cost the server, compared with Yoga, Mercurius with graphql-jit and Apollo Server, which answer
 * the same JSON from memory?
 *
 * The queries are the smallest one, the viewer, and the page of 50 messages that the web client asks for (20 authors,
 * 17 liked, 10 threads, stamps). The server and the client are separate processes, and only the server's CPU is
 * counted; ours includes its part of every database call, but not the database.
 */
import { isDeepStrictEqual } from 'node:util';
import { recordResult } from './results.ts';
import { printTable, rounded, startWorker } from './support.ts';

const WIDTH = 16;
const WARM_UP = 400;
const REQUESTS = 1_000;

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

async function measure(
  kind: 'tsudoi' | 'yoga' | 'mercurius' | 'apollo',
  answers: Readonly<Record<string, string>> = {},
) {
  const server = await startWorker(script(kind), { answers });
  const client = await startWorker(script('client'), {});
  const { queries, url, token } = await server.ask<Target>({ command: 'target' });
  const load = (query: Query, count: number) =>
    client.ask<{ answer: string; ms: number }>({ url, token, body: query.body, count, width: WIDTH });
  const results: Record<string, Measured> = {};
  for (const query of queries) {
    await load(query, WARM_UP);
    const before = await server.ask<number>({ command: 'cpu' });
    const { answer, ms } = await load(query, REQUESTS);
    const cpuMs = (await server.ask<number>({ command: 'cpu' })) - before;
    results[query.name] = {
      answer,
      cpuMicros: (cpuMs * 1_000) / REQUESTS,
      perSecond: (REQUESTS * 1_000) / ms,
    };
  }
  await client.stop();
  await server.stop();
  return results;
}

const ours = await measure('tsudoi');
const answers = Object.fromEntries(Object.entries(ours).map(([name, { answer }]) => [name, answer]));
const yoga = await measure('yoga', answers);
const mercurius = await measure('mercurius', answers);
const apollo = await measure('apollo', answers);
const peers = { yoga, mercurius, apollo };

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
printTable(`CPU of one query, ${WIDTH} at a time, ${REQUESTS} requests`, rows);
recordResult('queries', rows);
