/**
 * Shared by the benchmarks: percentiles, CPU times, a table printer, HTTP requests, and child processes that end with
 * this one.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { type Agent, request } from 'node:http';

export interface Row {
  readonly [column: string]: string | number;
}

/** Prints rows as a Markdown table, so that the output can be pasted into the README. */
export function printTable(title: string, rows: readonly Row[]): void {
  const columns = Object.keys(rows[0] ?? {});
  const lines = [
    `\n### ${title}\n`,
    `| ${columns.join(' | ')} |`,
    `|${columns.map(() => '---').join('|')}|`,
    ...rows.map((row) => `| ${columns.map((column) => row[column]).join(' | ')} |`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((p / 100) * sorted.length))] ?? Number.NaN;
}

export const rounded = (value: number, digits = 1): number => Number(value.toFixed(digits));

/** Runs `work` `total` times, `width` at a time. */
export async function inParallel(
  total: number,
  width: number,
  work: (i: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (next < total) await work(next++);
    }),
  );
}

/** The CPU time that a process has used so far, in milliseconds, of all its threads. Linux only. */
export async function cpuMsOf(pid: number): Promise<number> {
  const tasks = `/proc/${pid}/task`;
  const times = (await readdir(tasks)).map(async (thread) => {
    const [ns] = (await readFile(`${tasks}/${thread}/schedstat`, 'utf8')).split(' ');
    return Number(ns) / 1_000_000;
  });
  return (await Promise.all(times)).reduce((sum, ms) => sum + ms, 0);
}

export interface GraphQLPost {
  readonly agent: Agent;
  readonly url: string;
  readonly token: string;
  /** JSON. */
  readonly body: string;
}

/** Resolves to the answer's text. Rejects if it is not one of GraphQL without errors. Takes less CPU than `fetch`. */
export const postGraphQL = ({ agent, url, token, body }: GraphQLPost): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      accept: 'application/graphql-response+json, application/json',
    };
    const sent = request(`${url}/graphql`, { agent, method: 'POST', headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const answer = Buffer.concat(chunks).toString();
        if (response.statusCode === 200 && !answer.includes('"errors"')) resolve(answer);
        else reject(new Error(`${response.statusCode}: ${answer.slice(0, 500)}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });

/**
 * A script in a child process. It answers each message with one message. Answers to those in flight may change places.
 */
export interface Worker {
  ask<T>(message: object): Promise<T>;
  stop(): Promise<void>;
}

export async function startWorker(script: URL, argument: object): Promise<Worker> {
  const child: ChildProcess = fork(script, [JSON.stringify(argument)], {
    execArgv: ['--import', new URL('./typescript.js', import.meta.url).href],
  });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', (code) => {
    process.off('exit', kill);
    if (code !== 0 && code !== null) throw new Error(`${script.pathname} ended with ${code}.`);
  });
  await once(child, 'message');
  const asked: Array<(answer: unknown) => void> = [];
  child.on('message', (answer) => asked.shift()?.(answer));
  return {
    ask: <T>(message: object) =>
      new Promise<T>((resolve) => {
        asked.push((answer) => resolve(answer as T));
        child.send(message);
      }),
    async stop() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

/** The child's side: reports that it is ready, then answers each message. */
export function serve(
  answer: (message: { readonly [key: string]: unknown }) => Promise<unknown>,
  end: () => Promise<void>,
): void {
  process.on('message', async (message) => {
    process.send?.((await answer(message as { [key: string]: unknown })) ?? null);
  });
  process.once('disconnect', async () => {
    await end();
    process.exit(0);
  });
  process.send?.('ready');
}
