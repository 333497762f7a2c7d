import {
  defaultFieldResolver,
  type ExecutionArgs,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getArgumentValues,
  getDirectiveValues,
  getNamedType,
  getOperationAST,
  getVariableValues,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';

/** Writes the JSON text of a value. Throws `Unwritable` if it cannot. */
type Write = (value: unknown, context: unknown) => string;

/** Only execution can give the result: a value has to be waited for, or is an error. */
class Unwritable extends Error {}

export type WriteResult = (rootValue: unknown, context: unknown) => string | undefined;

interface Operation {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: Record<string, unknown>;
}

/**
 * Compiles an operation into a function that writes its result as JSON, for results that are sent often and need
 * nothing that has to be read. It calls the schema's own resolvers, so it knows no type and no field, and does without
 * the promises and objects of an execution. A result that it cannot write is undefined, and has to be executed: if a
 * resolver returns a promise or throws, if something is null that may not be, and for interfaces and unions.
 */
export function compileSync({ schema, document, operationName, variableValues }: ExecutionArgs): WriteResult {
  const operation = getOperationAST(document, operationName);
  const type = operation == null ? undefined : schema.getRootType(operation.operation);
  const { coerced } = getVariableValues(schema, operation?.variableDefinitions ?? [], variableValues ?? {});
  if (operation == null || type == null || coerced === undefined) return () => undefined;
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of document.definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
  }
  let write: Write | undefined;
  try {
    write = objectWriter(type, [operation.selectionSet], { schema, fragments, variables: coerced });
  } catch {
    // Unwritable, or a mistake such as a directive whose variable is null: execution adds the error to the result.
  }
  return (rootValue, context) => {
    try {
      return write === undefined ? undefined : `{"data":${write(rootValue, context)}}`;
    } catch {
      // Also what a resolver throws: execution adds the error to the result.
      return undefined;
    }
  };
}

function objectWriter(type: GraphQLObjectType, sets: readonly SelectionSetNode[], of: Operation): Write {
  const fields = new Map<string, FieldNode[]>();
  for (const set of sets) collect({ type, set, of, fields });
  const writers = [...fields].map(([name, nodes], i) => ({
    key: `${i === 0 ? '' : ','}${JSON.stringify(name)}:`,
    write: fieldWriter(type, nodes, of),
  }));
  return (source, context) => {
    let text = '{';
    for (const { key, write } of writers) text += key + write(source, context);
    return `${text}}`;
  };
}

interface Collecting {
  readonly type: GraphQLObjectType;
  readonly set: SelectionSetNode;
  readonly of: Operation;
  readonly fields: Map<string, FieldNode[]>;
}

/** The fields by the names that they have in the result: https://spec.graphql.org/October2021/#CollectFields() */
function collect({ type, set, of, fields }: Collecting): void {
  for (const node of set.selections) {
    const skip = getDirectiveValues(GraphQLSkipDirective, node, of.variables);
    const include = getDirectiveValues(GraphQLIncludeDirective, node, of.variables);
    if (skip?.if === true || include?.if === false) continue;
    if (node.kind === Kind.FIELD) {
      const name = node.alias?.value ?? node.name.value;
      fields.set(name, [...(fields.get(name) ?? []), node]);
      continue;
    }
    const fragment = node.kind === Kind.FRAGMENT_SPREAD ? of.fragments.get(node.name.value) : node;
    if (fragment === undefined) throw new Unwritable();
    const condition = fragment.typeCondition?.name.value;
    if (condition === undefined || applies(condition, type, of.schema)) {
      collect({ type, set: fragment.selectionSet, of, fields });
    }
  }
}

function applies(condition: string, type: GraphQLObjectType, schema: GraphQLSchema): boolean {
  const named = schema.getType(condition);
  return named === type || (isAbstractType(named) && schema.isSubType(named, type));
}

function fieldWriter(parent: GraphQLObjectType, nodes: readonly FieldNode[], of: Operation): Write {
  const [node] = nodes;
  const name = node?.name.value ?? '';
  if (name === '__typename') {
    const text = JSON.stringify(parent.name);
    return () => text;
  }
  const field = parent.getFields()[name];
  if (field === undefined || node === undefined) throw new Unwritable();
  const { resolve = defaultFieldResolver } = field;
  const info: GraphQLResolveInfo = Object.create(NO_INFO, { fieldName: { value: name } });
  const args = argumentsOf(() => getArgumentValues(field, node, of.variables));
  const write = valueWriter(field.type, nodes, of);
  return (source, context) => write(resolve(source, args, context, info), context);
}

/** Wrong arguments are an error of the field: execution returns it. */
function argumentsOf<T>(read: () => T): T {
  try {
    return read();
  } catch {
    throw new Unwritable();
  }
}

/** Resolvers may ask for their field's name. One that asks for anything else has to be executed. */
const NO_INFO: object = new Proxy(
  {},
  {
    get() {
      throw new Unwritable();
    },
  },
);

function valueWriter(type: GraphQLOutputType, nodes: readonly FieldNode[], of: Operation): Write {
  if (isNonNullType(type)) {
    const write = nullableWriter(type.ofType, nodes, of);
    return (value, context) => {
      const text = write(value, context);
      if (text === 'null') throw new Unwritable();
      return text;
    };
  }
  return nullableWriter(type, nodes, of);
}

function nullableWriter(type: GraphQLOutputType, nodes: readonly FieldNode[], of: Operation): Write {
  const write = presentWriter(type, nodes, of);
  return (value, context) => {
    if (value === null || value === undefined) return 'null';
    if (value instanceof Promise) {
      // The result is executed from scratch, and has the error then.
      value.catch(() => {});
      throw new Unwritable();
    }
    if (value instanceof Error) throw new Unwritable();
    return write(value, context);
  };
}

function presentWriter(type: GraphQLOutputType, nodes: readonly FieldNode[], of: Operation): Write {
  if (isListType(type)) {
    const write = valueWriter(type.ofType, nodes, of);
    return (value, context) => {
      if (!Array.isArray(value)) throw new Unwritable();
      return `[${value.map((item) => write(item, context)).join(',')}]`;
    };
  }
  if (isLeafType(type)) {
    return (value) => {
      const text = JSON.stringify(type.serialize(value));
      if (text === undefined || text === 'null') throw new Unwritable();
      return text;
    };
  }
  const named = getNamedType(type);
  if (!isObjectType(named)) throw new Unwritable();
  const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  return objectWriter(named, sets, of);
}
