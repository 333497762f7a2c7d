/**
 * How a table names the attributes of its keys and those of its index. The program has one name for each of them, and
 * `transport/keyLayout.ts` translates between the two. The index itself has the same name in all tables.
 */
export interface KeyLayout {
  readonly pk: string;
  readonly sk: string;
  readonly gsi1pk: string;
  readonly gsi1sk: string;
}

/** The program's own names, which nearly all tables have: nothing is translated. */
export const DEFAULT_LAYOUT: KeyLayout = { pk: 'pk', sk: 'sk', gsi1pk: 'gsi1pk', gsi1sk: 'gsi1sk' };

/** The attributes that keys consist of, in the order in which people write them. */
export const KEY_ATTRIBUTES = ['pk', 'sk', 'gsi1pk', 'gsi1sk'] as const satisfies ReadonlyArray<
  keyof KeyLayout
>;

export const namesOf = (layout: KeyLayout): string[] => KEY_ATTRIBUTES.map((attribute) => layout[attribute]);

export const isSameLayout = (one: KeyLayout, other: KeyLayout): boolean =>
  KEY_ATTRIBUTES.every((attribute) => one[attribute] === other[attribute]);

/** What is said of names that `isUsable` refuses. */
export const LAYOUT_RULE =
  'the four differ, and each begins with an upper-case letter, as no other attribute of an item does, or is pk, sk, gsi1pk or gsi1sk for its own key';

/** Whether keys can have these names: no other attribute of an item may ever have one of them. */
export const isUsable = (layout: KeyLayout): boolean =>
  new Set(namesOf(layout)).size === KEY_ATTRIBUTES.length &&
  KEY_ATTRIBUTES.every(
    (attribute) => layout[attribute] === DEFAULT_LAYOUT[attribute] || /^\p{Lu}/u.test(layout[attribute]),
  );

const NAME = /^[A-Za-z0-9_.-]{1,255}$/;

/** From names as people write them: `PK,SK,GSI1PK,GSI1SK`. Undefined if a table cannot have them. */
export function parseLayout(text: string): KeyLayout | undefined {
  const names = text.split(',');
  const [pk = '', sk = '', gsi1pk = '', gsi1sk = ''] = names;
  const layout = { pk, sk, gsi1pk, gsi1sk };
  const isValid = names.length === KEY_ATTRIBUTES.length && names.every((name) => NAME.test(name));
  return isValid && isUsable(layout) ? layout : undefined;
}
