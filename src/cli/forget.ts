import { parseArgs } from 'node:util';
import { createAccountDeletion } from '../accountDeletion/accountDeletion.ts';
import { surveyAccount } from '../accountDeletion/survey.ts';
import { openForCommand } from '../app/commandDatabase.ts';
import { createMemoryBus } from '../bus/memory.ts';
import { createPublisher } from '../bus/publisher.ts';
import { loadConfig } from '../config.ts';
import { CLAIM_MAX, userIdOf } from '../core/identity.ts';
import { createLog } from '../core/log.ts';
import { createTimestamps } from '../core/timestamps.ts';
import { createDynamo, type Dynamo } from '../dynamo/dynamo.ts';
import { keys } from '../dynamo/keys.ts';
import { userOf } from '../users/user.ts';
import { showProgress } from './command/progress.ts';
import { Refusal, run, Usage } from './command/run.ts';
import { userNamed } from './command/userNamed.ts';

const USAGE = `Usage: npm run -s forget -- USER | --sub <subject>  [--erase-messages] [--dry-run | --reopen]
  USER              a handle, or an id as the API has it (User.id)
  --sub             the subject of the user's tokens (the claim "sub")
  --erase-messages  their messages lose the text; otherwise they stay, by a former member
  --dry-run         only count what the account holds
  --reopen          let the user of a deleted account sign in again, as a new user
Deletes an account, as deleteAccount does. Running servers show an empty profile within 30 seconds, and close the
user's connections within 5 seconds. A job deletes the rest while servers run; npm run -s jobs watch shows how far it is. It also
runs again for an account that was deleted before.`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      sub: { type: 'string' },
      'erase-messages': { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
      reopen: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) throw new Usage(USAGE);
  const [name, ...more] = positionals;
  const { sub, reopen, 'dry-run': dryRun, 'erase-messages': eraseMessages } = values;
  const named = [name, sub].filter((one) => one !== undefined && one !== '');
  if (named.length !== 1 || more.length > 0)
    throw new Refusal('Name one user, by a handle, an id, or --sub.');
  if (reopen && (dryRun || eraseMessages)) throw new Refusal('--reopen takes no other option.');
  if (sub !== undefined && sub.length > CLAIM_MAX) {
    throw new Refusal(`A subject has 1 to ${CLAIM_MAX} characters.`);
  }
  const log = createLog({ level: 'warn', pretty: process.stderr.isTTY === true });
  const database = await openForCommand(loadConfig(process.env), log, { create: false });
  try {
    const dynamo = createDynamo(database);
    const id = sub === undefined ? await userNamed(dynamo, name ?? '') : userIdOf(sub);
    const item = id === undefined ? undefined : await dynamo.get(keys.user(id));
    if (id === undefined || item === undefined) {
      throw new Refusal(
        'There is no such user. A former member has no handle any more: use the id or --sub.',
      );
    }
    const { deletedAt } = userOf(id, item);
    if (dryRun) return void (await survey(dynamo, id));
    const publisher = createPublisher({ bus: createMemoryBus({ log }), log });
    const accounts = createAccountDeletion({
      dynamo,
      publisher,
      timestamps: createTimestamps(),
      now: Date.now,
    });
    if (reopen) {
      if (deletedAt === undefined) throw new Refusal('This account is not deleted.');
      await accounts.reopen(id);
      process.stdout.write(`${id} can sign in again. The next token fills the profile.\n`);
      return;
    }
    const job = await accounts.removeOrAgain(id, eraseMessages);
    process.stdout.write(
      `${id} is a former member. The job ${job} deletes the rest while a server runs: npm run -s jobs watch ${job}\n`,
    );
  } finally {
    await database.close();
  }
}

async function survey(dynamo: Dynamo, user: string): Promise<void> {
  const progress = showProgress({ what: 'MB read', elsewhere: 'nothing' });
  try {
    const found = await surveyAccount(dynamo, user, () => progress.add(1));
    progress.stop();
    process.stdout.write(`${JSON.stringify(found)}\n`);
  } finally {
    progress.stop();
  }
}

await run(main);
