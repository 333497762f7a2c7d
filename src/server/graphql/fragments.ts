import { type DocumentNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql';

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** The fragments of a document by name. */
export function fragmentsOf(document: DocumentNode): Fragments {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  return fragments;
}

/** Whether a selection has a field other than `__typename`, `__schema` and `__type`. Looks at each fragment once. */
export function selectsData(set: SelectionSetNode, fragments: Fragments): boolean {
  const seen = new Set<string>();
  const selects = ({ selections }: SelectionSetNode): boolean =>
    selections.some((selection) => {
      if (selection.kind === Kind.FIELD) return !selection.name.value.startsWith('__');
      if (selection.kind === Kind.INLINE_FRAGMENT) return selects(selection.selectionSet);
      const name = selection.name.value;
      if (seen.has(name)) return false;
      seen.add(name);
      const fragment = fragments.get(name);
      return fragment !== undefined && selects(fragment.selectionSet);
    });
  return selects(set);
}
