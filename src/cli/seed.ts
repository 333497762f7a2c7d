import { type CommandDatabase, openForCommand } from '../app/commandDatabase.ts';
import { createCommandServices } from '../app/commandServices.ts';
import { type Config, loadConfig } from '../config.ts';
import { loadDevelopmentCode } from '../core/developmentCode.ts';
import { createLog } from '../core/log.ts';
import type { Generated } from '../dev/demo/generator/generator.ts';
import type { StoreOptions } from '../dev/demo/generator/store.ts';
import { createDynamo, type Dynamo } from '../dynamo/dynamo.ts';
import { keys } from '../dynamo/keys.ts';
import { builtIn } from '../reactions/stamps/builtIn.ts';
import { showProgress } from './command/progress.ts';
import { Refusal, run } from './command/run.ts';
import { parseSeedOptions, type SeedOptions } from './command/seedOptions.ts';

/** Rooms that the people of `--join` join: enough to look at. */
const JOIN_MAX = 20;

/** The demo data, which is not part of a deployment. */
async function loadDemo() {
  const [{ generate }, { AlreadySeeded, store }, { joinRooms, seedDemo }] = await Promise.all([
    import('../dev/demo/generator/generator.ts'),
    import('../dev/demo/generator/store.ts'),
    import('../dev/demo/seed.ts'),
  ]);
  return { AlreadySeeded, generate, joinRooms, seedDemo, store };
}

type Demo = Awaited<ReturnType<typeof loadDemo>>;

/** Fills the table with half a year of conversations, for trying things out and measuring at size. */
async function main(): Promise<void> {
  const options = parseSeedOptions(process.argv.slice(2), Date.now());
  const config = loadConfig(process.env);
  refuseWrongTable(config, options);
  const demo = await loadDevelopmentCode('npm run seed', loadDemo);
  const log = createLog({ level: 'warn', pretty: process.stderr.isTTY === true });
  const database = await openForCommand(config, log, { create: true, shape: options.shape });
  try {
    refuseWrongShape(database, options);
    const dynamo = createDynamo(database);
    const services = createCommandServices(dynamo, log);
    // The first start of a server would have done this, but it will not find a new table any more.
    if (database.created && config.auth.kind === 'development') await demo.seedDemo(services);
    const generated = await generateFor(demo, dynamo, options);
    const by = config.dynamodb.kind === 'embedded' ? 'transactions' : 'batches';
    process.stdout.write(`${await fill(demo, { dynamo, generated, by }, options)}\n`);
    const rooms = generated.rooms
      .map(({ plan }) => plan.room)
      .filter(({ visibility }) => visibility === 'PUBLIC');
    const ids = rooms.slice(0, JOIN_MAX).map(({ id }) => id);
    const joined = await demo.joinRooms(services, options.join, ids);
    process.stdout.write(`${whatNext(generated, joined)}\n`);
  } finally {
    await database.close();
  }
}

/** A shell that is set up for a deployment must not fill its table by mistake. */
function refuseWrongTable({ dynamodb, tableName }: Config, { table }: SeedOptions): void {
  if (table !== undefined && table !== tableName) {
    throw new Refusal(`--table says ${table}, but TABLE_NAME is ${tableName}.`);
  }
  if (dynamodb.kind === 'aws' && table === undefined) {
    throw new Refusal(
      `This would fill the table ${tableName} on AWS. If that is meant, add --table ${tableName}.`,
    );
  }
}

function refuseWrongShape({ created, shape }: CommandDatabase, { shape: wanted }: SeedOptions): void {
  if (created || wanted === undefined || shape() === wanted) return;
  throw new Refusal(`The table has shape ${shape()} already: --shape is for a new one.`);
}

/** People get handles that are still free. */
async function generateFor({ generate }: Demo, dynamo: Dynamo, options: SeedOptions): Promise<Generated> {
  const all = { ...options, stampKeys: builtIn.map(([key]) => key) };
  const wished = generate(all).people.map(({ user }) => user.handle ?? '');
  const found = await dynamo.batchGet(wished.map((handle) => keys.handle(handle)));
  const taken = new Set(wished.filter((_, i) => found[i] !== undefined));
  return generate({ ...all, taken });
}

/** Resolves to what was done, in one line. */
async function fill(
  { AlreadySeeded, store }: Demo,
  storing: StoreOptions,
  { messages: total }: SeedOptions,
): Promise<string> {
  const progress = showProgress({ what: 'messages', total, elsewhere: 'lines' });
  const start = performance.now();
  const written = { messages: 0, stamps: 0, likes: 0 };
  try {
    await store({
      ...storing,
      onWritten({ messages, stamps, likes }) {
        written.messages += messages;
        written.stamps += stamps;
        written.likes += likes;
        progress.add(messages);
      },
    });
  } catch (error) {
    if (!(error instanceof AlreadySeeded)) throw error;
    throw new Refusal(`${error.message} Another --seed creates others.`);
  } finally {
    progress.stop();
  }
  const seconds = (performance.now() - start) / 1000;
  const { people, rooms } = storing.generated;
  return [
    `${count(written.messages)} messages, ${count(written.stamps)} stamps and ${count(written.likes)} likes`,
    `in ${count(rooms.length)} rooms with ${count(people.length)} people,`,
    `in ${seconds.toFixed(1)} s: ${count(written.messages / seconds)} messages a second.`,
  ].join(' ');
}

function whatNext({ people }: Generated, joined: readonly string[]): string {
  const lines = joined.map((handle) => `${handle} has joined the public rooms.`);
  const [person] = people;
  if (person !== undefined) {
    const { handle, displayName } = person.user;
    lines.push(
      `To sign in as one of them, for example as ${displayName}: npm run -s token -- ${handle} prints a token.`,
      'Enter it on the sign-in page, under “Use a token”, or in GraphiQL, in the Headers tab: { "authorization": "Bearer TOKEN" }.',
    );
  }
  return lines.join('\n');
}

const count = (number: number): string => Math.round(number).toLocaleString('en');

await run(main);
