import type { World } from './costWorld.ts';

/** Something that is asked of the table, by its name in docs/data-model.md. */
export interface Pattern {
  readonly name: string;
  /** What has to be so before; not measured. */
  readonly before?: (world: World) => Promise<unknown>;
  readonly run: (world: World) => Promise<unknown>;
}

/** Something happens, and then is handled. */
export const consumed = (name: string, before: (world: World) => Promise<unknown>): Pattern => ({
  name,
  async before(world) {
    await world.consume();
    await before(world);
  },
  run: (world) => world.consume(),
});

export const at = (list: readonly string[], i: number): string => {
  const id = list.at(i);
  if (id === undefined) throw new Error(`There is no ${i}.`);
  return id;
};
