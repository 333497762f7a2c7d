/** The commands of `reshape`, and the flags of each. */
import { Refusal } from './run.ts';

const PLACE = ['to-table', 'to-region', 'to-endpoint'] as const;

/** They say how the former table follows after a switch. */
const BACK = ['no-way-back', 'rate', 'metrics-port'] as const;

/** They act on the table in use. */
const OF_SHAPE = {
  plan: ['rate'],
  start: ['to', 'rate'],
  status: ['watch'],
  pause: [],
  resume: ['rate'],
  back: ['rate'],
  finish: [],
} as const satisfies Record<string, readonly string[]>;
export type ShapeCommand = keyof typeof OF_SHAPE;

/** They need another table. */
const OF_COPY = {
  carry: [...PLACE, 'create', 'to-keys', 'rate', 'metrics-port'],
  status: PLACE,
  rate: [...PLACE, 'rate'],
  verify: [...PLACE, 'rate'],
  'hand-over': [...PLACE, 'handled', ...BACK],
  switch: [...PLACE, 'within', 'functions-removed', ...BACK],
} as const satisfies Record<string, readonly string[]>;
export type CopyCommand = keyof typeof OF_COPY;

export type ReshapeCommand =
  | { readonly kind: 'shape'; readonly command: ShapeCommand }
  | { readonly kind: 'copy'; readonly command: CopyCommand };

/** `status` is the only name of both kinds: --to-table decides. Undefined: there is no such command. */
function commandOf(name: string, flags: ReadonlySet<string>): ReshapeCommand | undefined {
  if (isIn(OF_SHAPE, name) && !(name === 'status' && flags.has('to-table')))
    return { kind: 'shape', command: name };
  return isIn(OF_COPY, name) ? { kind: 'copy', command: name } : undefined;
}

const isIn = <T extends object>(table: T, name: string): name is Extract<keyof T, string> =>
  Object.hasOwn(table, name);

/**
 * The command of this name. Undefined if there is none. Throws `Refusal` for a flag that it does not have: to ignore
 * --to-table would change another table than the one that was meant. `values`: as parsed; those that were not given are
 * undefined or false.
 */
export function reshapeCommand(
  name: string,
  values: Readonly<Record<string, string | boolean | undefined>>,
): ReshapeCommand | undefined {
  const given = Object.entries(values).flatMap(([flag, value]) =>
    value === undefined || value === false ? [] : [flag],
  );
  const found = commandOf(name, new Set(given));
  if (found === undefined) return undefined;
  const own: readonly string[] = found.kind === 'shape' ? OF_SHAPE[found.command] : OF_COPY[found.command];
  const foreign = given.find((flag) => !own.includes(flag));
  if (foreign !== undefined) throw new Refusal(sentenceOf(foreign, found));
  return found;
}

function sentenceOf(flag: string, { kind, command }: ReshapeCommand): string {
  const isPlace = PLACE.some((one) => one === flag);
  if (kind === 'copy' || !isPlace) return `--${flag} is only for ${commandsWith(flag)}.`;
  if (command === 'status') return `--${flag} needs --to-table.`;
  const acts = `--${flag} is not for \`${command}\`, which acts on the table in use`;
  return command === 'back'
    ? `${acts}: to return to the former table after a \`switch\`, set TABLE_NAME to the table in use, and run \`verify\`, while that \`switch\` or a \`carry\` is running, and then \`switch\`, with --to-table and the name of the former one (docs/another-table.md).`
    : `${acts}: it is only for ${commandsWith(flag)}.`;
}

/** A list of the commands that have this flag. */
function commandsWith(flag: string): string {
  const names = (table: Readonly<Record<string, readonly string[]>>) =>
    Object.entries(table).flatMap(([name, flags]) => (flags.includes(flag) ? [`\`${name}\``] : []));
  // The other `status` is without it.
  const ofShape = names(OF_SHAPE).map((name) => (name === '`status`' ? '`status` without --to-table' : name));
  return new Intl.ListFormat('en-GB').format([...ofShape, ...names(OF_COPY)]);
}
