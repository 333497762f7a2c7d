/** Functions that write results as JSON, compiled from an operation. They call the schema's own resolvers. */
import {
  defaultFieldResolver,
  defaultTypeResolver,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLAbstractType,
  type GraphQLArgument,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getArgumentValues,
  getDirectiveValues,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionSetNode,
  visit,
} from 'graphql';
import { Later } from '../core/later.ts';
import { NeverWritable, Unwritable } from '../core/writeData.ts';
import { keepingWriter } from './keptText.ts';
import { type Part, type TextOutput, type Write, writeList, writeParts } from './textOutput.ts';

export interface CompiledFrom {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** The values for which the operation is compiled. Undefined: for all values, and it has no directives. */
  readonly variables: Record<string, unknown> | undefined;
  /** Whether promises are waited for, and interfaces and unions are written. Otherwise only execution can do that. */
  readonly waits: boolean;
}

interface Compiling extends CompiledFrom {
  /** Counts what differs between two runs: a field that has raised it cannot be kept. */
  varying: number;
}

export const rootWriter = (type: GraphQLObjectType, set: SelectionSetNode, from: CompiledFrom): Write =>
  objectWriter(type, [set], { ...from, varying: 0 }, { isRoot: true });

/** The fragments of a document, by name. */
export function fragmentsByName(
  definitions: ReadonlyArray<{ readonly kind: Kind }>,
): Map<string, FragmentDefinitionNode> {
  const isFragment = (node: { readonly kind: Kind }): node is FragmentDefinitionNode =>
    node.kind === Kind.FRAGMENT_DEFINITION;
  return new Map(definitions.filter(isFragment).map((node) => [node.name.value, node]));
}

function objectWriter(
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
  of: Compiling,
  { isRoot = false } = {},
): Write {
  const fields = new Map<string, FieldNode[]>();
  for (const set of sets) collect({ type, set, of, fields });
  const parts: Part[] = [...fields].map(([name, nodes], i) => {
    const before = of.varying;
    const write = fieldWriter({ parent: type, nodes, of, ...(isRoot ? { rootKey: name } : {}) });
    return { text: `${i === 0 ? '{' : ','}${JSON.stringify(name)}:`, write, varies: of.varying > before };
  });
  parts.push({ text: parts.length === 0 ? '{}' : '}' });
  const keeping = of.waits ? keepingWriter(type, parts) : undefined;
  return keeping ?? ((source, output) => writeParts(parts, source, output));
}

interface Collecting {
  readonly type: GraphQLObjectType;
  readonly set: SelectionSetNode;
  readonly of: CompiledFrom;
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

interface Selected {
  readonly parent: GraphQLObjectType;
  readonly nodes: readonly FieldNode[];
  readonly of: Compiling;
  /** The name in the result, of a field of the root. */
  readonly rootKey?: string;
}

function fieldWriter(selected: Selected): Write {
  const { parent, nodes, of } = selected;
  const [node] = nodes;
  const name = node?.name.value ?? '';
  if (name === '__typename') {
    const text = JSON.stringify(parent.name);
    return (_source, output) => output.add(text);
  }
  const field = parent.getFields()[name];
  if (field === undefined || node === undefined) throw new Unwritable();
  const { resolve = defaultFieldResolver } = field;
  const info = infoOf(selected, field);
  const write = valueWriter(field.type, nodes, of);
  if (of.variables === undefined && hasVariable(node)) {
    of.varying++;
    return (source, output) => {
      const { context, variables } = output.run;
      write(resolve(source, getArgumentValues(field, node, variables), context, info), output);
    };
  }
  const args = argumentsOf(field, node, of.variables);
  return (source, output) => write(resolve(source, args, output.run.context, info), output);
}

/** Wrong arguments are an error of the field: execution returns it. */
function argumentsOf(
  field: { readonly args: readonly GraphQLArgument[] } & GraphQLField<unknown, unknown>,
  node: FieldNode,
  variables: Record<string, unknown> | undefined,
): Record<string, unknown> {
  try {
    return getArgumentValues(field, node, variables);
  } catch {
    throw new Unwritable();
  }
}

/** Whether an argument of the field itself has one. */
function hasVariable(node: FieldNode): boolean {
  let found = false;
  visit(node, {
    SelectionSet: () => false,
    Variable: () => {
      found = true;
    },
  });
  return found;
}

/** Resolvers may ask for what is the same in all results. One that asks for anything else has to be executed. */
const NO_INFO: object = new Proxy(
  {},
  {
    get() {
      throw new NeverWritable();
    },
  },
);

function infoOf({ parent, nodes, of, rootKey }: Selected, field: GraphQLField<unknown, unknown>) {
  const known: Partial<GraphQLResolveInfo> = {
    fieldName: field.name,
    fieldNodes: nodes,
    parentType: parent,
    returnType: field.type,
    ...(rootKey === undefined ? {} : { path: { prev: undefined, key: rootKey, typename: parent.name } }),
    schema: of.schema,
  };
  const info: GraphQLResolveInfo = Object.create(NO_INFO, Object.getOwnPropertyDescriptors(known));
  return info;
}

function valueWriter(declared: GraphQLOutputType, nodes: readonly FieldNode[], of: Compiling): Write {
  const isNullable = !isNonNullType(declared);
  const type = isNonNullType(declared) ? declared.ofType : declared;
  const writePresent = presentWriter(type, nodes, of);
  const write: Write = (value, output) => {
    if (value === null || value === undefined) {
      if (!isNullable) throw new Unwritable();
      output.add('null');
    } else if (value instanceof Promise || value instanceof Later) {
      if (of.waits) return output.addLater(value, write);
      // The result is executed from scratch, and has the error then.
      value.catch(() => {});
      throw new Unwritable();
    } else if (value instanceof Error) throw new Unwritable();
    else writePresent(value, output);
  };
  return write;
}

function presentWriter(type: GraphQLOutputType, nodes: readonly FieldNode[], of: Compiling): Write {
  if (isListType(type)) {
    const write = valueWriter(type.ofType, nodes, of);
    return (value, output) => {
      if (!Array.isArray(value)) throw new Unwritable();
      writeList(value, write, output);
    };
  }
  if (isLeafType(type)) {
    return (value, output) => {
      const text = JSON.stringify(type.serialize(value));
      if (text === undefined || text === 'null') throw new Unwritable();
      output.add(text);
    };
  }
  const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  if (isObjectType(type)) return objectWriter(type, sets, of);
  if (isAbstractType(type) && of.waits) return abstractWriter(type, sets, of);
  throw new Unwritable();
}

/** The types of the values are found when they are written. */
function abstractWriter(type: GraphQLAbstractType, sets: readonly SelectionSetNode[], of: Compiling): Write {
  of.varying++;
  const resolveType = type.resolveType ?? defaultTypeResolver;
  const info: GraphQLResolveInfo = Object.create(NO_INFO, { schema: { value: of.schema } });
  const writers = new Map<string, Write>();

  function writeAs(name: string | undefined, value: unknown, output: TextOutput): void {
    const object = of.schema.getType(name ?? '');
    if (!isObjectType(object) || !of.schema.isSubType(type, object)) throw new Unwritable();
    const write = writers.get(object.name) ?? objectWriter(object, sets, of);
    writers.set(object.name, write);
    write(value, output);
  }

  return (value, output) => {
    const name = resolveType(value, output.run.context, info, type);
    if (name instanceof Promise) {
      output.addLater(name, (resolved, later) => writeAs(resolved as string | undefined, value, later));
    } else writeAs(name, value, output);
  };
}
