import { type DocumentNode, GraphQLError, Kind, type SelectionSetNode } from 'graphql';
import type { DocumentLimits } from '../limits.ts';
import { fragmentsOf } from './fragments.ts';
import { checkMergedFields } from './mergedFields.ts';

interface Size {
  readonly depth: number;
  readonly aliases: number;
  readonly directives: number;
}

/**
 * Throws GRAPHQL_VALIDATION_FAILED if a parsed document exceeds a limit. It runs before the document is validated, in
 * time linear in its length: validation compares fields in pairs, and follows a cycle of fragments until the stack
 * overflows.
 *
 * Not graphql-armor: its rules run during validation, and its errors have no code and no limit. Visited before
 * validation, its rules for depth, aliases and directives took 1.2 to 10 times as long as all of this (7 documents).
 */
export function checkDocument(document: DocumentNode, limits: DocumentLimits): void {
  refuseOver('fragments', fragmentsOf(document).size, limits.fragments);
  const sizes = createSizes(document);
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) sizes.ofFragment(definition.name.value);
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const { depth, aliases, directives } = sizes.ofSelections(definition.selectionSet);
    refuseOver('levels of fields', depth, limits.depth);
    refuseOver('aliases', aliases, limits.aliases);
    refuseOver('directives', directives + (definition.directives?.length ?? 0), limits.directives);
  }
  checkMergedFields(document, limits, refuse);
}

function refuseOver(what: string, found: number, limit: number): void {
  if (found > limit) refuse(what, limit);
}

function refuse(what: string, limit: number): never {
  throw new GraphQLError(`The document has more than ${limit} ${what}.`, {
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED', limit },
  });
}

/** Measures selections with the fragments that they spread. Each fragment is measured once. */
function createSizes(document: DocumentNode) {
  const definitions = fragmentsOf(document);
  const measured = new Map<string, Size | 'being measured'>();
  const empty: Size = { depth: 0, aliases: 0, directives: 0 };

  function ofFragment(name: string): Size {
    const known = measured.get(name);
    if (known === 'being measured') {
      throw new GraphQLError(`The fragment ${name} spreads itself.`, {
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
      });
    }
    if (known !== undefined) return known;
    const definition = definitions.get(name);
    if (definition === undefined) return empty; // Validation refuses a spread of an unknown fragment.
    measured.set(name, 'being measured');
    const inside = ofSelections(definition.selectionSet);
    const size = { ...inside, directives: inside.directives + (definition.directives?.length ?? 0) };
    measured.set(name, size);
    return size;
  }

  function ofSelections(set: SelectionSetNode): Size {
    let { depth, aliases, directives } = empty;
    for (const selection of set.selections) {
      directives += selection.directives?.length ?? 0;
      const isField = selection.kind === Kind.FIELD;
      if (isField && selection.alias !== undefined) aliases += 1;
      const inside =
        selection.kind === Kind.FRAGMENT_SPREAD
          ? ofFragment(selection.name.value)
          : selection.selectionSet === undefined
            ? empty
            : ofSelections(selection.selectionSet);
      depth = Math.max(depth, inside.depth + (isField ? 1 : 0));
      aliases += inside.aliases;
      directives += inside.directives;
    }
    return { depth, aliases, directives };
  }

  return { ofFragment, ofSelections };
}
