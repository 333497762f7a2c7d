import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { PAGE_DEFAULT, PAGE_MAX } from '../../core/pages.ts';

/** The assumed length of a list without pages, unless the field declares one with the extension `most`. */
const LIST_DEFAULT = 50;

/** The cost of an operation, which is `extensions.cost` of its answer. */
export interface Cost {
  /** The number of objects in its pages if all of them are full. */
  readonly objects: number;
  /** The highest number that is allowed. */
  readonly limit: number;
}

export interface CostOptions {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  /** As the client sent them: they are not validated yet. */
  readonly variables: Readonly<Record<string, unknown>> | null | undefined;
  /** The highest number of objects that is allowed. */
  readonly limit: number;
}

/**
 * The cost of an operation. Throws BAD_USER_INPUT if its pages, all of them full, have more objects than `limit`. Each
 * page is a query of the table, and each of its objects may have pages inside. Three levels of a hundred are a million
 * objects in a document that is small by every other limit. It runs before the document is validated, so fields that
 * the schema does not have count as nothing. It takes time linear in the document's length.
 */
export function checkCost(document: DocumentNode, options: CostOptions): Cost {
  const { limit } = options;
  const objects = costOf(document, options);
  if (objects <= limit) return { objects, limit };
  throw new GraphQLError(
    `The document asks for more than ${limit} objects: ${objects} if all pages are full. Ask for smaller pages.`,
    { extensions: { code: 'BAD_USER_INPUT', limit, cost: { objects, limit } } },
  );
}

/** No fragment of `document` may spread itself. */
export function costOf(document: DocumentNode, options: Omit<CostOptions, 'limit'>): number {
  const { schema, operation } = options;
  const variables = options.variables ?? {};
  const definitions = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) definitions.set(definition.name.value, definition);
  }
  const fragments = new Map<string, number>();

  function fragment(name: string): number {
    const known = fragments.get(name);
    if (known !== undefined) return known;
    const definition = definitions.get(name);
    if (definition === undefined) return 0;
    const cost = selections(definition.selectionSet, schema.getType(definition.typeCondition.name.value));
    fragments.set(name, cost);
    return cost;
  }

  /** The number of objects in the pages below one object of this type. */
  function selections(set: SelectionSetNode, type: GraphQLNamedType | undefined): number {
    let cost = 0;
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        cost += field(selection, type);
      } else if (selection.kind === Kind.FRAGMENT_SPREAD) {
        cost += fragment(selection.name.value);
      } else {
        const { typeCondition, selectionSet } = selection;
        const narrowed = typeCondition === undefined ? type : schema.getType(typeCondition.name.value);
        cost += selections(selectionSet, narrowed);
      }
    }
    return cost;
  }

  function field(node: FieldNode, parent: GraphQLNamedType | undefined): number {
    if (node.selectionSet === undefined || !(isObjectType(parent) || isInterfaceType(parent))) return 0;
    const definition = parent.getFields()[node.name.value];
    if (definition === undefined) return 0;
    const inside = selections(node.selectionSet, getNamedType(definition.type));
    const page = pageOf(node, definition);
    return page === undefined ? lengthOf(definition) * inside : page * (1 + inside);
  }

  /** The size of a full page; undefined if the field has no pages. */
  function pageOf(node: FieldNode, { args }: GraphQLField<unknown, unknown>): number | undefined {
    const takes = (name: string) => args.some((argument) => argument.name === name);
    if (takes('ids')) {
      const ids = argumentOf(node, 'ids');
      return Array.isArray(ids) ? ids.length : 1;
    }
    if (!takes('first') && !takes('last')) return undefined;
    const size = argumentOf(node, 'first') ?? argumentOf(node, 'last') ?? PAGE_DEFAULT;
    // A value that is not a valid page size is refused later.
    return typeof size === 'number' ? Math.min(PAGE_MAX, Math.max(1, size)) : PAGE_MAX;
  }

  /** The value of an argument that is a number or a list; undefined for any other. */
  function argumentOf(node: FieldNode, name: string): unknown {
    const argument: ArgumentNode | undefined = node.arguments?.find((one) => one.name.value === name);
    return argument === undefined ? undefined : toSize(argument.value);
  }

  function toSize(value: ValueNode): unknown {
    if (value.kind === Kind.INT) return Number(value.value);
    if (value.kind === Kind.LIST) return value.values;
    if (value.kind !== Kind.VARIABLE) return undefined;
    const { name } = value;
    const sent = variables[name.value];
    if (sent !== undefined) return sent;
    const defaultValue = operation.variableDefinitions?.find(
      ({ variable }) => variable.name.value === name.value,
    )?.defaultValue;
    return defaultValue === undefined ? undefined : toSize(defaultValue);
  }

  return selections(operation.selectionSet, schema.getRootType(operation.operation) ?? undefined);
}

/** The length of a field without pages, by which the cost of its selections is multiplied. */
function lengthOf({ name, type, extensions }: GraphQLField<unknown, unknown>): number {
  // A connection's edges are its page, which is counted with the connection.
  if (name === 'edges' || !isListType(getNullableType(type))) return 1;
  return typeof extensions.most === 'number' ? extensions.most : LIST_DEFAULT;
}
