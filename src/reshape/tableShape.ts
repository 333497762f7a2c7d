import { defined } from '../core/defined.ts';
import { StartError } from '../core/errors.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Item } from '../dynamo/item.ts';
import { keys } from '../dynamo/keys.ts';
import type { Direction } from '../dynamo/shape.ts';
import { FIRST_SHAPE, KNOWN_SHAPES } from '../dynamo/shapes.ts';

/** Which shape the table has. One item, `SHAPE`; a table without it has the first shape. */
export interface TableShape {
  /** The shape in force: the one that is written. */
  readonly inForce: number;
  /** Rises when another shape is in force, and when the change is finished. 0: there is no item. */
  readonly version: number;
  /**
   * Set if no server may use the table: it is a copy that is not handed over yet, or the table before a copy that is.
   */
  readonly notInUse?: TableInUse;
  /** Set while servers are about to use another table. */
  readonly moving?: Moving;
  /** Absent: all items are in the shape in force, as far as any change was ever made. */
  readonly change?: ShapeChange;
}

/** The table to use in place of one that is not in use. */
export interface TableInUse {
  /** Its name and where it is, for people. */
  readonly table: string;
  /** The ARN of its stream, which no other table has. */
  readonly stream: string;
  /** Set if servers that have stopped writing here go on there without a restart. */
  readonly place?: TablePlace;
  /** Set after a `hand-over`, for messages to operators: unlike with `place`, servers do not go on there by themselves. */
  readonly at?: TablePlace;
  /** Set while a `hand-over` to it is not known to have ended: before that, neither of the two is in use. */
  readonly handOver?: HandOverBegun;
  /** Write units a second of the copy that this table becomes, if what changes is carried back. Absent: not chosen. */
  readonly backRate?: number;
}

/** What the table that is handed over says of it, so that every start can say how to go on if it fails. */
export interface HandOverBegun {
  /** The name of this table, for people. */
  readonly from: string;
  /** How the table that is about to be in use is found from this one. */
  readonly to: TablePlace;
  /** The command that ends it, with the flags that it had, to be pasted. Absent: begun by an earlier release. */
  readonly command?: string;
}

/** How a server finds another table. What is absent is as in its configuration. */
export interface TablePlace {
  readonly table: string;
  readonly region?: string;
  readonly endpoint?: string;
}

/** A switch to another table that is not decided yet. Any server takes it back if it takes too long. */
export interface Moving extends Required<Omit<TableInUse, 'at' | 'handOver' | 'backRate'>> {
  /** `announced`: servers open the other table. `frozen`: they stop writing; then the table is not in use as well. */
  readonly phase: 'announced' | 'frozen';
  /** How long the phase may take, in milliseconds from when a server has seen it. */
  readonly withinMs: number;
}

/** How much work a change was until now. */
export interface ChangeFigures {
  /** How many times the table was read, or is being read. */
  readonly pass: number;
  /** Items that were read in all passes, groups that were converted, and the write units that DynamoDB charged. */
  readonly scanned: number;
  readonly converted: number;
  readonly units: number;
}

/** A change that is under way: the table has items of two shapes. */
export interface ShapeChange {
  readonly direction: Direction;
  /** The shape that some items may still have. */
  readonly from: number;
  /** Milliseconds since 1970. */
  readonly since: number;
  /** Write units a second. */
  readonly rate: number;
  /** The table was read from its beginning to its end without finding an item of the other shape. */
  readonly converted: boolean;
  /** What it was altogether. Absent before it is converted. */
  readonly figures?: ChangeFigures;
}

function tableShapeOf(item: Item | undefined): TableShape {
  const inForce = Number(item?.inForce ?? FIRST_SHAPE);
  const version = Number(item?.rev ?? 0);
  const notInUse = item?.notInUse as TableInUse | undefined;
  const moving = item?.moving as Moving | undefined;
  const table = { inForce, version, ...defined({ notInUse, moving }) };
  if (item?.other === undefined) return table;
  const from = Number(item.other);
  const figures = item.figures as ChangeFigures | undefined;
  return {
    ...table,
    change: {
      direction: from < inForce ? 'up' : 'down',
      from,
      since: Number(item.since),
      rate: Number(item.rate),
      converted: item.converted === true,
      ...defined({ figures }),
    },
  };
}

export const readTableShape = async (dynamo: Pick<Dynamo, 'get'>): Promise<TableShape> =>
  tableShapeOf(await dynamo.get(keys.shape()));

export interface KnowsShapes {
  /** The shapes that this process knows. Default: those of this release. */
  readonly known?: readonly number[];
}

/** Throws `StartError` if this process does not know the shape in force: it could neither read nor write the table. */
export function assertKnown({ inForce }: TableShape, { known = KNOWN_SHAPES }: KnowsShapes = {}): void {
  if (known.includes(inForce)) return;
  const own = known.length === 1 ? `shape ${known[0]}` : `the shapes ${known.join(' and ')}`;
  throw new StartError(
    `The table has shape ${inForce}, and this release knows only ${own}. Start a release that knows shape ${inForce}.`,
  );
}

/** What is the matter, and what to run, while a hand-over is not decided. */
export const unendedHandOver = (
  from: string,
  to: string,
  command = `TABLE_NAME=${from} npm run -s reshape -- hand-over --to-table ${to}`,
): string =>
  `The \`hand-over\` of ${from} to ${to} has not ended, so neither table is in use. If no process runs it any more, run it again: ${command}`;

/** That another table is in use, and what to do. Undefined: this one is. */
export function notInUseText({ notInUse }: Pick<TableShape, 'notInUse'>): string | undefined {
  if (notInUse === undefined) return undefined;
  const { table, handOver, place, at } = notInUse;
  if (handOver !== undefined) return unendedHandOver(handOver.from, table, handOver.command);
  return `This table is not in use. The table in use is ${table}. Set TABLE_NAME to that one${alsoEndpoint(place ?? at)}.`;
}

/**
 * The rest of a sentence about `TABLE_NAME`: without it, a start would make an empty table of that name at the former
 * endpoint. On AWS the ARN of the table says where it is, unless an endpoint is set, which wins.
 */
export function alsoEndpoint({ region, endpoint }: Partial<TablePlace> = {}): string {
  if (endpoint !== undefined) return `, and DYNAMODB_ENDPOINT to ${withoutPassword(endpoint)}`;
  return region === undefined ? '' : ', without DYNAMODB_ENDPOINT';
}

/** An endpoint as it was given, without the user and the password that its URL may have: starts print it. */
export function withoutPassword(endpoint: string): string {
  const url = new URL(endpoint);
  if (url.username === '' && url.password === '') return endpoint;
  url.username = '';
  url.password = '';
  return url.href;
}

/** Throws `StartError` if another table is in use: what a server wrote here would be lost. */
export function assertInUse(shape: TableShape): void {
  const text = notInUseText(shape);
  if (text !== undefined) throw new StartError(text);
}
