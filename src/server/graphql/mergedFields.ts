import { type DocumentNode, Kind, type SelectionSetNode } from 'graphql';
import type { DocumentLimits } from '../limits.ts';
import { fragmentsOf } from './fragments.ts';

type Refuse = (what: string, limit: number) => never;

/**
 * Refuses a document with many fields of the same response name in one place. Validation compares all of them in pairs,
 * with everything that is selected in them: for some hundreds, that blocks the server for a tenth of a second. Like
 * execution, this merges fields of the same name, and looks at a fragment once in each place. Fragments can be spread
 * so that they double at every level, so the number of fields that are looked at is bounded as well.
 */
export function checkMergedFields(document: DocumentNode, limits: DocumentLimits, refuse: Refuse): void {
  const fragments = fragmentsOf(document);
  const reached = new Set<string>();
  let fields = 0;

  /** Checks one place of the result. It has several selection sets if several fields have the same name. */
  function checkPlace(sets: readonly SelectionSetNode[]): void {
    const spread = new Set<string>();
    const inside = new Map<string, SelectionSetNode[]>();
    const counts = new Map<string, number>();

    function collect({ selections }: SelectionSetNode): void {
      for (const selection of selections) {
        if (selection.kind === Kind.INLINE_FRAGMENT) {
          collect(selection.selectionSet);
        } else if (selection.kind === Kind.FRAGMENT_SPREAD) {
          const name = selection.name.value;
          const definition = fragments.get(name);
          if (definition === undefined || spread.has(name)) continue;
          spread.add(name);
          reached.add(name);
          collect(definition.selectionSet);
        } else {
          const name = (selection.alias ?? selection.name).value;
          const count = (counts.get(name) ?? 0) + 1;
          counts.set(name, count);
          if (count > limits.repeats) refuse('fields of one name in one place', limits.repeats);
          if (++fields > limits.fields) refuse('fields', limits.fields);
          if (selection.selectionSet === undefined) continue;
          inside.set(name, [...(inside.get(name) ?? []), selection.selectionSet]);
        }
      }
    }

    for (const set of sets) collect(set);
    for (const merged of inside.values()) checkPlace(merged);
  }

  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) checkPlace([definition.selectionSet]);
  }
  // Fragments that are not spread are validated, too.
  for (const [name, { selectionSet }] of fragments) if (!reached.has(name)) checkPlace([selectionSet]);
}
