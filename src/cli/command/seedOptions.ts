import { parseArgs } from 'node:util';
import { KNOWN_SHAPES } from '../../dynamo/shapes.ts';
import { Refusal, Usage } from './run.ts';

export interface SeedOptions {
  readonly rooms: number;
  readonly people: number;
  readonly messages: number;
  readonly seed: string;
  /** Milliseconds since 1970. */
  readonly until: number;
  /** Handles. */
  readonly join: readonly string[];
  readonly table: string | undefined;
  /** The shape of a table that it creates. Undefined: the newest. */
  readonly shape: number | undefined;
}

const USAGE = `Usage: npm run seed -- [options]
  --rooms 20           1 to 10,000
  --people 500         2 to 100,000
  --messages 100000    roots and replies; up to 10,000,000
  --seed tsudoi        another word creates other people, rooms and messages
  --until 2026-01-31   time of the last message (a date, or an RFC 3339 time); default: the start of today (UTC)
  --join aki,ben       existing people who join the new public rooms (at most 20 rooms)
  --shape 1            creates the table in the shape before the newest, to rehearse \`npm run -s reshape\`
  --table NAME         required on AWS: the table's name again, against filling the wrong one`;

const DAY_MS = 86_400_000;

/** Parses the command's arguments. Throws `Usage`, or `Refusal` with the mistake. `now` in milliseconds. */
export function parseSeedOptions(args: string[], now: number): SeedOptions {
  const { values } = parseArgs({
    args,
    options: {
      rooms: { type: 'string', default: '20' },
      people: { type: 'string', default: '500' },
      messages: { type: 'string', default: '100000' },
      seed: { type: 'string', default: 'tsudoi' },
      until: { type: 'string' },
      join: { type: 'string', default: 'aki,ben' },
      shape: { type: 'string' },
      table: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) throw new Usage(USAGE);
  return {
    rooms: whole('rooms', values.rooms, 1, 10_000),
    people: whole('people', values.people, 2, 100_000),
    messages: whole('messages', values.messages, 0, 10_000_000),
    seed: values.seed,
    until: values.until === undefined ? Math.floor(now / DAY_MS) * DAY_MS : past(values.until, now),
    join: values.join.split(',').flatMap((handle) => handle.trim() || []),
    table: values.table,
    shape: values.shape === undefined ? undefined : knownShape(values.shape),
  };
}

function whole(name: string, text: string, min: number, max: number): number {
  const number = /^\d{1,8}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new Refusal(`--${name} must be a whole number from ${min} to ${max}.`);
}

function knownShape(text: string): number {
  const shape = KNOWN_SHAPES.find((one) => String(one) === text);
  if (shape !== undefined) return shape;
  throw new Refusal(`--shape must be one of those that this release knows: ${KNOWN_SHAPES.join(', ')}.`);
}

const TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;

function past(text: string, now: number): number {
  const until = TIME.test(text) ? Date.parse(text) : Number.NaN;
  // Positions are assigned in order of time, so a message of today must not come after one of tomorrow.
  if (until <= now) return until;
  throw new Refusal('--until must be a date such as 2026-01-31, or an RFC 3339 time, and not in the future.');
}
