import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { SignJWT } from 'jose';
import { ask } from './client.ts';
import { readUnits } from './metrics.ts';
import {
  type Counts,
  type FromWorker,
  type Load,
  type Person,
  type Share,
  sumOf,
  type ToWorker,
} from './plan.ts';
import { type Outcome, report } from './report.ts';

export interface RunLoadOptions {
  readonly url: string;
  readonly load: Load;
  /** Signs the tokens of the people. */
  readonly secret: string;
  readonly issuer?: string | undefined;
  readonly audience?: string | undefined;
  /** The `/metrics` of all processes, for the units of DynamoDB. */
  readonly metrics: readonly string[];
  readonly metricsToken?: string | undefined;
  readonly print: (line: string) => void;
}

const CREATE = `mutation LoadRoom($name: String!) {
  createRoom(input: { name: $name, visibility: PUBLIC }) { room { id } }
}`;
const DELETE = 'mutation LoadEnd($room: ID!) { deleteRoom(input: { roomId: $room }) { deletedRoomId } }';

/** For each person to join and connect, and for what is on its way at the end. */
const PREPARE_MS_PER_PERSON = 250;
const PREPARE_MS = 60_000;
const DRAIN_MS = 10_000;
const LOOK_MS = 250;

/**
 * Makes rooms, lets people enter, sends and reads for the time that was asked for, prints what happened, and deletes
 * the rooms. It ends by itself, also if the installation does not respond. Resolves to the exit code: 0 if every
 * message was acknowledged and reached every reader.
 */
export async function runLoad(options: RunLoadOptions): Promise<number> {
  const { load, print } = options;
  const origin = new URL(options.url).origin;
  const run = randomUUID().slice(0, 8);
  const owner = { origin, token: await tokenOf(options, 'load-owner') };
  const workers: Worker[] = [];
  const rooms: string[] = [];
  try {
    for (let i = 0; i < load.rooms; i++) {
      const name = `Load test ${run} ${i + 1}`;
      const made = await ask<{ createRoom: { room: { id: string } } }>(owner, CREATE, { name });
      rooms.push(made.createRoom.room.id);
    }
    const people = await Promise.all(
      Array.from({ length: load.people }, async (_, i): Promise<Person> => {
        return { token: await tokenOf(options, `load-${i + 1}`), roomId: rooms[i % rooms.length] ?? '' };
      }),
    );
    for (const share of sharesOf(load, { origin, run, people })) workers.push(new Worker(share));
    const live = await enterAll(workers, load);
    print(`${live} of ${load.people} people are online, in ${load.rooms} rooms.`);
    const before = await readUnits(options.metrics, options.metricsToken);
    const counts = await drive(workers, load, Math.ceil(load.people / load.rooms));
    const after = await readUnits(options.metrics, options.metricsToken);
    const units = before === undefined || after === undefined ? undefined : { before, after };
    const outcome: Outcome = { counts, load, live, units, readersOf: readersIn(people) };
    return report(outcome, print);
  } finally {
    for (const worker of workers) worker.end();
    for (const room of rooms) {
      await ask(owner, DELETE, { room }).catch((error: unknown) =>
        print(`A room was not deleted: ${error instanceof Error ? error.message : String(error)}`),
      );
    }
  }
}

const readersIn = (people: readonly Person[]) => (room: string) =>
  people.filter(({ roomId }) => roomId === room).length;

async function tokenOf({ secret, issuer, audience, load }: RunLoadOptions, subject: string): Promise<string> {
  const token = new SignJWT({ name: subject })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(subject)
    .setIssuedAt()
    .setExpirationTime(`${load.seconds + 3_600} seconds`);
  if (issuer !== undefined) token.setIssuer(issuer);
  if (audience !== undefined) token.setAudience(audience);
  return token.sign(new TextEncoder().encode(secret));
}

/** People, messages and reads, divided among the workers. */
function sharesOf(
  { workers, rate, reads, seconds }: Load,
  { people, ...common }: Pick<Share, 'origin' | 'run' | 'people'>,
): Share[] {
  const count = Math.min(workers, people.length);
  return Array.from({ length: count }, (_, i) => ({
    ...common,
    people: people.filter((_person, n) => n % count === i),
    rate: rate / count,
    reads: reads / count,
    seconds,
  }));
}

async function enterAll(workers: readonly Worker[], { people }: Load): Promise<number> {
  const patienceMs = PREPARE_MS + people * PREPARE_MS_PER_PERSON;
  const ready = await Promise.all(workers.map((worker) => worker.next('ready', patienceMs)));
  return ready.reduce((sum, { live }) => sum + live, 0);
}

/** Resolves when everything has arrived, or enough time has passed. */
async function drive(workers: readonly Worker[], { seconds }: Load, perRoom: number): Promise<Counts> {
  for (const worker of workers) worker.post({ type: 'go' });
  await Promise.all(workers.map((worker) => worker.next('sent', seconds * 1_000 + PREPARE_MS)));
  for (const until = performance.now() + DRAIN_MS; ; ) {
    for (const worker of workers) worker.post({ type: 'drain' });
    const all = await Promise.all(workers.map((worker) => worker.next('done', DRAIN_MS)));
    const counts = sumOf(all.map((one) => one.counts));
    const sent = Object.values(counts.sent).reduce((sum, one) => sum + one, 0);
    if (counts.received >= sent * perRoom || performance.now() > until) return counts;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

type Reply<T extends FromWorker['type']> = Extract<FromWorker, { type: T }>;

class Worker {
  readonly #process: ChildProcess;

  constructor(share: Share) {
    this.#process = fork(fileURLToPath(new URL('./worker.ts', import.meta.url)), {
      execArgv: ['--import', 'tsx'],
    });
    this.post({ type: 'prepare', share });
  }

  post(message: ToWorker): void {
    this.#process.send(message);
  }

  /** The next message of this type. Rejects if the process has ended, or after this time. */
  next<T extends FromWorker['type']>(type: T, patienceMs: number): Promise<Reply<T>> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer);
        this.#process.off('message', receive).off('exit', exited);
      };
      const receive = (message: FromWorker) => {
        if (message.type !== type) return;
        settle();
        resolve(message as Reply<T>);
      };
      const exited = () => {
        settle();
        reject(new Error('A worker process has ended.'));
      };
      const timer = setTimeout(() => {
        settle();
        reject(new Error(`The workers took longer than ${Math.round(patienceMs / 1_000)} s.`));
      }, patienceMs);
      this.#process.on('message', receive).once('exit', exited);
    });
  }

  end(): void {
    this.#process.kill();
  }
}
