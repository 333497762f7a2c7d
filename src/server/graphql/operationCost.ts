import {
  type DocumentNode,
  type FieldNode,
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
import { fragmentsOf } from './fragments.ts';

/**
 * The assumed length of a list without pages, unless the field declares one with the extension `maxItems`. If its
 * objects are read for it, as those of a page, the field has the extension `counted` as well, and costs its length.
 */
const LIST_DEFAULT = 50;

/** The cost of an operation, which is `extensions.cost` of its result. */
export interface Cost {
  /** The number of objects in its pages if all of them are full. */
  readonly objects: number;
  /** The highest number that is allowed. */
  readonly limit: number;
}

export interface CostOptions {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
}

/** As the client sent them: they are not validated yet. */
export type Variables = Readonly<Record<string, unknown>> | null | undefined;

/** What one operation with these variables costs, in objects. */
export type CostFunction = (variables: Variables) => number;

/** A number, or what has to be computed from the variables. */
type Term = number | ((given: Given) => number);

interface Given {
  readonly variables: Readonly<Record<string, unknown>>;
  /** The cost of each fragment that has been computed. */
  readonly fragments: readonly number[];
}

/**
 * Prepares the computation of an operation's cost: the number of objects in its pages if all of them are full. Each
 * page is a query of the table, and each of its objects may have pages inside. Three levels of a hundred are a million
 * objects in a document that is small by every other limit. Preparing takes time linear in the document's length, and
 * computing takes time linear in what depends on variables. No fragment of `document` may spread itself.
 */
export function compileCost(document: DocumentNode, { schema, operation }: CostOptions): CostFunction {
  const definitions = fragmentsOf(document);
  const fragments = new Map<string, Term>();
  /** Computed in this order and once, however often they are spread: each comes after those that it spreads. */
  const computed: Array<(given: Given) => number> = [];

  function fragment(name: string): Term {
    const known = fragments.get(name);
    if (known !== undefined) return known;
    const definition = definitions.get(name);
    if (definition === undefined) return 0;
    let term = selections(definition.selectionSet, schema.getType(definition.typeCondition.name.value));
    if (typeof term === 'function') {
      const index = computed.push(term) - 1;
      term = (given) => given.fragments[index] ?? 0;
    }
    fragments.set(name, term);
    return term;
  }

  /** The number of objects in the pages below one object of this type. */
  function selections(set: SelectionSetNode, type: GraphQLNamedType | undefined): Term {
    const terms = set.selections.map((selection) => {
      if (selection.kind === Kind.FIELD) return field(selection, type);
      if (selection.kind === Kind.FRAGMENT_SPREAD) return fragment(selection.name.value);
      const { typeCondition, selectionSet } = selection;
      const narrowed = typeCondition === undefined ? type : schema.getType(typeCondition.name.value);
      return selections(selectionSet, narrowed);
    });
    return sumOf(terms);
  }

  function field(node: FieldNode, parent: GraphQLNamedType | undefined): Term {
    const ofIntrospection = INTROSPECTION.get(node.name.value);
    if (ofIntrospection !== undefined) return ofIntrospection;
    if (node.selectionSet === undefined || !(isObjectType(parent) || isInterfaceType(parent))) return 0;
    const definition = parent.getFields()[node.name.value];
    if (definition === undefined) return 0;
    const inside = selections(node.selectionSet, getNamedType(definition.type));
    const page = pageOf(node, definition);
    if (page !== undefined) return productOf(page, sumOf([1, inside]));
    const counted = definition.extensions.counted === true ? 1 : 0;
    return productOf(lengthOf(definition), sumOf([counted, inside]));
  }

  /** The size of a full page; undefined if the field has no pages. */
  function pageOf(node: FieldNode, { args }: GraphQLField<unknown, unknown>): Term | undefined {
    const takes = (name: string) => args.some((argument) => argument.name === name);
    if (takes('ids')) {
      return termOf([argumentOf(node, 'ids')], ([ids]) => (Array.isArray(ids) ? ids.length : 1));
    }
    if (!takes('first') && !takes('last')) return undefined;
    return termOf([argumentOf(node, 'first'), argumentOf(node, 'last')], ([first, last]) => {
      const size = first ?? last ?? PAGE_DEFAULT;
      // A value that is not a valid page size is refused later.
      return typeof size === 'number' ? Math.min(PAGE_MAX, Math.max(1, size)) : PAGE_MAX;
    });
  }

  /** The value of an argument that is a number or a list, by the variables; undefined for any other. */
  function sizeValue(node: ValueNode | undefined, { variables }: Pick<Given, 'variables'>): unknown {
    if (node?.kind === Kind.INT) return Number(node.value);
    if (node?.kind === Kind.LIST) return node.values;
    if (node?.kind !== Kind.VARIABLE) return undefined;
    const { name } = node;
    // Every object has a `constructor`, and a variable may have that name.
    const sent = Object.hasOwn(variables, name.value) ? variables[name.value] : undefined;
    if (sent !== undefined) return sent;
    const definition = operation.variableDefinitions?.find(
      ({ variable }) => variable.name.value === name.value,
    );
    return sizeValue(definition?.defaultValue, { variables });
  }

  function termOf(nodes: Array<ValueNode | undefined>, compute: (values: unknown[]) => number): Term {
    const term = (given: Pick<Given, 'variables'>) => compute(nodes.map((node) => sizeValue(node, given)));
    return nodes.some((node) => node?.kind === Kind.VARIABLE) ? term : term({ variables: {} });
  }

  const total = selections(operation.selectionSet, schema.getRootType(operation.operation) ?? undefined);
  if (typeof total === 'number') return () => total;
  return (variables) => {
    const values: number[] = [];
    const given = { variables: variables ?? {}, fragments: values };
    for (const compute of computed) values.push(compute(given));
    return total(given);
  };
}

/** Introspection of the whole schema takes 25 ms, as a page of 5,000 objects would. */
const INTROSPECTION: ReadonlyMap<string, number> = new Map([
  ['__schema', 5_000],
  ['__type', 100],
]);

function sumOf(terms: readonly Term[]): Term {
  const known = terms.reduce<number>((sum, term) => (typeof term === 'number' ? sum + term : sum), 0);
  const others = terms.filter((term) => typeof term === 'function');
  if (others.length === 0) return known;
  return (given) => others.reduce((sum, term) => sum + term(given), known);
}

function productOf(count: Term, term: Term): Term {
  if (typeof count === 'number' && typeof term === 'number') return count * term;
  if (term === 0) return 0;
  const value = (one: Term, given: Given) => (typeof one === 'number' ? one : one(given));
  return (given) => value(count, given) * value(term, given);
}

const argumentOf = (node: FieldNode, name: string): ValueNode | undefined =>
  node.arguments?.find((one) => one.name.value === name)?.value;

/** The length of a field without pages, by which the cost of its selections is multiplied. */
function lengthOf({ name, type, extensions }: GraphQLField<unknown, unknown>): number {
  // A connection's edges are its page, which is counted with the connection.
  if (name === 'edges' || !isListType(getNullableType(type))) return 1;
  return typeof extensions.maxItems === 'number' ? extensions.maxItems : LIST_DEFAULT;
}
