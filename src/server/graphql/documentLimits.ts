import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import type { DocumentLimits } from '../limits.ts';
import { checkMergedFields } from './mergedFields.ts';

interface Weight {
  readonly depth: number;
  readonly aliases: number;
  readonly directives: number;
}

/**
 * Throws BAD_USER_INPUT where a parsed document is over a limit. It runs before the document is validated,
 * in time linear in its length: validation compares fields pairwise, and follows a cycle of fragments
 * until the stack ends.
 */
export function checkDocument(document: DocumentNode, limits: DocumentLimits): void {
  const weigh = createScale(document);
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) weigh.fragment(definition.name.value);
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const weight = weigh.selections(definition.selectionSet);
    const directives = weight.directives + (definition.directives?.length ?? 0);
    refuseOver('levels of fields', weight.depth, limits.depth);
    refuseOver('aliases', weight.aliases, limits.aliases);
    refuseOver('directives', directives, limits.directives);
  }
  checkMergedFields(document, limits, refuse);
}

function refuseOver(what: string, found: number, limit: number): void {
  if (found > limit) refuse(what, limit);
}

function refuse(what: string, limit: number): never {
  throw new GraphQLError(`The document has more than ${limit} ${what}.`, {
    extensions: { code: 'BAD_USER_INPUT', limit },
  });
}

/** Weighs selections with the fragments they spread; each fragment is weighed once. */
function createScale(document: DocumentNode) {
  const definitions = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) definitions.set(definition.name.value, definition);
  }
  const weighed = new Map<string, Weight | 'being weighed'>();
  const nothing: Weight = { depth: 0, aliases: 0, directives: 0 };

  function fragment(name: string): Weight {
    const known = weighed.get(name);
    if (known === 'being weighed') {
      throw new GraphQLError(`The fragment ${name} spreads itself.`, {
        extensions: { code: 'BAD_USER_INPUT' },
      });
    }
    if (known !== undefined) return known;
    const definition = definitions.get(name);
    if (definition === undefined) return nothing; // Validation will say that there is no such fragment.
    weighed.set(name, 'being weighed');
    const inside = selections(definition.selectionSet);
    const weight = { ...inside, directives: inside.directives + (definition.directives?.length ?? 0) };
    weighed.set(name, weight);
    return weight;
  }

  function selections(set: SelectionSetNode): Weight {
    let { depth, aliases, directives } = nothing;
    for (const selection of set.selections) {
      directives += selection.directives?.length ?? 0;
      const isField = selection.kind === Kind.FIELD;
      if (isField && selection.alias !== undefined) aliases += 1;
      const inside =
        selection.kind === Kind.FRAGMENT_SPREAD
          ? fragment(selection.name.value)
          : selection.selectionSet === undefined
            ? nothing
            : selections(selection.selectionSet);
      depth = Math.max(depth, inside.depth + (isField ? 1 : 0));
      aliases += inside.aliases;
      directives += inside.directives;
    }
    return { depth, aliases, directives };
  }

  return { fragment, selections };
}
