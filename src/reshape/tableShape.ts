import { StartError } from '../core/errors.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Item } from '../dynamo/item.ts';
import { keys } from '../dynamo/keys.ts';
import { FIRST_SHAPE, KNOWN_SHAPES } from '../dynamo/shapes.ts';

/** Which shape the table has. One item, `SHAPE`; a table without it has the first shape. */
export interface TableShape {
  /** The shape in force: the one that is written. */
  readonly inForce: number;
  /** Rises with every change. 0: there is no item. */
  readonly version: number;
}

const tableShapeOf = (item: Item | undefined): TableShape => ({
  inForce: Number(item?.inForce ?? FIRST_SHAPE),
  version: Number(item?.rev ?? 0),
});

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
