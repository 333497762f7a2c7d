import { parseArgs } from 'node:util';
import { openForCommand } from '../app/commandDatabase.ts';
import { loadConfig } from '../config.ts';
import { CLAIM_MAX, userIdOf } from '../core/identity.ts';
import { createLog } from '../core/log.ts';
import { DAY_S, secondsOf } from '../core/timestamps.ts';
import { createDynamo } from '../dynamo/dynamo.ts';
import { keys } from '../dynamo/keys.ts';
import type { Target } from '../revocations/revocation.ts';
import { createRevocations } from '../revocations/revocations.ts';
import { Refusal, run, Usage } from './command/run.ts';

const USAGE = `Usage: npm run -s revoke -- --sub <subject> | --jti <token id>  [--days 400]
  --sub     all tokens of this subject (the claim "sub") that were issued until now, and those without "iat"
  --jti     the token with this id (the claim "jti")
  --days    how long the revocation lasts, 1 to 4000: longer than the lifetime of any token it concerns
Every server refuses them within 5 seconds, and closes their open websockets with 4403.
Stop the issuer from signing new ones as well: a token that is issued later is valid.`;

const DAYS_MAX = 4_000;
const NO_USER =
  'No user has this subject yet. If someone should have it, compare the spelling with their tokens.\n';

/** Revokes tokens while the system serves. */
async function main(): Promise<void> {
  const now = secondsOf(Date.now());
  const { target, days } = parsed(process.argv.slice(2), now);
  const log = createLog({ level: 'warn', pretty: process.stderr.isTTY === true });
  const database = await openForCommand(loadConfig(process.env), log, { create: false });
  try {
    const dynamo = createDynamo(database);
    const revocations = createRevocations({ dynamo });
    const { number } = await revocations.revoke(target, now + days * DAY_S);
    process.stdout.write(`${described(target)} refused for ${days} days (revocation ${number}).\n`);
    if ('sub' in target && (await dynamo.get(keys.user(userIdOf(target.sub)))) === undefined)
      process.stderr.write(NO_USER);
  } finally {
    await database.close();
  }
}

function parsed(
  args: string[],
  now: number,
): { readonly target: Exclude<Target, { user: string }>; readonly days: number } {
  const { values } = parseArgs({
    args,
    options: {
      sub: { type: 'string' },
      jti: { type: 'string' },
      // Tokens of an identity provider live for hours; those of `npm run token` for a year.
      days: { type: 'string', default: '400' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) throw new Usage(USAGE);
  const { sub, jti, days } = values;
  if ((sub === undefined) === (jti === undefined)) throw new Refusal('Name either --sub or --jti.');
  const claim = sub ?? jti ?? '';
  if (claim === '' || claim.length > CLAIM_MAX) {
    throw new Refusal(`A subject or token id has 1 to ${CLAIM_MAX} characters.`);
  }
  if (!/^\d{1,4}$/.test(days) || Number(days) < 1 || Number(days) > DAYS_MAX) {
    throw new Refusal(`--days must be a whole number from 1 to ${DAYS_MAX}.`);
  }
  return { target: sub === undefined ? { jti: claim } : { sub, before: now }, days: Number(days) };
}

const described = (target: Exclude<Target, { user: string }>): string =>
  'jti' in target
    ? `The token ${JSON.stringify(target.jti)} is`
    : `Tokens of ${JSON.stringify(target.sub)} issued until ${new Date(target.before * 1_000).toISOString()} are`;

await run(main);
