import {
  type FieldNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
} from 'graphql';
import type { Fragments } from './fragments.ts';

interface DocumentParts {
  readonly schema: GraphQLSchema;
  readonly fragments: Fragments;
}

/**
 * The name of an operation in the metrics: its field, and for a query also the field below it if only one of them has
 * fields of its own, as in `docs/data-model.md`: `sendMessage`, `roomEvents`, `Room.messages`, `viewer`. `several` for
 * an operation with several fields. Only the schema's names, so there are no more than its objects have fields.
 */
export function patternOf(
  { operation, selectionSet }: OperationDefinitionNode,
  { schema, fragments }: DocumentParts,
): string {
  const [name, ...others] = fieldsIn([selectionSet], fragments);
  if (name === undefined) return 'other';
  if (others.length > 0) return 'several';
  const [field, nodes] = name;
  if (operation !== OperationTypeNode.QUERY) return field;
  const type = typeOfField(schema.getQueryType(), field);
  if (!isObjectType(type)) return field;
  const below = fieldsIn(
    nodes.flatMap((node) => node.selectionSet ?? []),
    fragments,
  ).filter(([, all]) => all.some((node) => node.selectionSet !== undefined));
  const [only, ...more] = below;
  return only === undefined || more.length > 0 ? field : `${type.name}.${only[0]}`;
}

/** The fields of these selections by name, those of introspection left out. Looks at each fragment once. */
function fieldsIn(sets: readonly SelectionSetNode[], fragments: Fragments): Array<[string, FieldNode[]]> {
  const fields = new Map<string, FieldNode[]>();
  const seen = new Set<string>();
  const add = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.INLINE_FRAGMENT) add(selection.selectionSet);
      else if (selection.kind === Kind.FIELD) addField(selection);
      else if (!seen.has(selection.name.value)) {
        seen.add(selection.name.value);
        const fragment = fragments.get(selection.name.value);
        if (fragment !== undefined) add(fragment.selectionSet);
      }
    }
  };
  const addField = (field: FieldNode): void => {
    const name = field.name.value;
    if (!name.startsWith('__')) fields.set(name, [...(fields.get(name) ?? []), field]);
  };
  for (const set of sets) add(set);
  return [...fields];
}

function typeOfField(type: GraphQLNamedType | null | undefined, field: string) {
  const found = isObjectType(type) ? type.getFields()[field] : undefined;
  return found === undefined ? undefined : getNamedType(found.type);
}
