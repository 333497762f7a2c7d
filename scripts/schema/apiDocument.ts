import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql';

const INTRODUCTION = `# The API

What \`schema/schema.graphql\` says, for reading: \`npm run schema\` writes this page. GraphiQL has the same texts beside
the editor.

Lists have pages: \`first\` and \`after\`, or \`last\` and \`before\`, give a connection with \`edges\` (each with its \`cursor\`
and \`node\`) and \`pageInfo\`. Errors have a code in \`extensions.code\`: see \`ErrorCode\`.`;

/** Pages, their entries, and results and arguments of mutations, which are written with the mutation. */
const LEFT_OUT = /(?:Connection|Edge|Payload|Input)$|^(?:Query|Mutation|Subscription|__)/;

/** A schema as one Markdown page. */
export function apiDocument(schema: GraphQLSchema): string {
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !LEFT_OUT.test(name));
  const sections = [
    section('Queries', fieldsOf(schema.getQueryType()).map(operation)),
    section('Mutations', fieldsOf(schema.getMutationType()).map(mutation)),
    section('Subscriptions', fieldsOf(schema.getSubscriptionType()).map(operation)),
    section('Types', types.flatMap(typeText)),
    section('Enums', types.flatMap(enumText)),
  ];
  return `${[INTRODUCTION, ...sections].join('\n\n')}\n`;
}

type AnyField = GraphQLField<unknown, unknown>;

const fieldsOf = (type: GraphQLObjectType | null | undefined): AnyField[] =>
  Object.values(type?.getFields() ?? {}).sort(byName);

const byName = (a: { readonly name: string }, b: { readonly name: string }) => (a.name < b.name ? -1 : 1);

const section = (title: string, parts: readonly string[]) => [`## ${title}`, ...parts].join('\n\n');

function operation({ name, type, args, description }: AnyField): string {
  return [`### ${name}`, `\`${String(type)}\`. ${text(description)}`, ...table('argument', args)].join(
    '\n\n',
  );
}

/** The fields of the argument `input`, and those of the payload. */
function mutation({ name, type, args, description }: AnyField): string {
  const inputs = args.flatMap((argument) => {
    const input = getNamedType(argument.type);
    return isInputObjectType(input) ? Object.values(input.getFields()) : [argument];
  });
  const payload = getNamedType(type);
  const results = isObjectType(payload) ? Object.values(payload.getFields()) : [];
  return [`### ${name}`, text(description), ...table('input', inputs), ...table('result', results)].join(
    '\n\n',
  );
}

function typeText(type: GraphQLNamedType): string[] {
  if (isUnionType(type)) {
    const members = type.getTypes().map(({ name }) => `\`${name}\``);
    return [[`### ${type.name}`, text(type.description), `One of ${members.join(', ')}.`].join('\n\n')];
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  const fields = Object.values(type.getFields());
  return [[`### ${type.name}`, text(type.description), ...table('field', fields)].join('\n\n')];
}

function enumText(type: GraphQLNamedType): string[] {
  if (!isEnumType(type)) return [];
  const rows = type.getValues().map(({ name, description }) => `| \`${name}\` | ${cell(description)} |`);
  const values = ['| value | |', '|---|---|', ...rows].join('\n');
  return [[`### ${type.name}`, text(type.description), values].join('\n\n')];
}

/** Empty if there is nothing to list. */
function table(title: string, all: ReadonlyArray<AnyField | GraphQLArgument | GraphQLInputField>): string[] {
  if (all.length === 0) return [];
  const rows = all.map((one) => {
    const isDeprecated = one.deprecationReason ?? undefined;
    const description = isDeprecated === undefined ? one.description : `Deprecated: ${isDeprecated}`;
    return `| \`${one.name}\` | \`${String(one.type)}\` | ${cell(description)} |`;
  });
  return [[`| ${title} | type | |`, '|---|---|---|', ...rows].join('\n')];
}

const text = (description: string | null | undefined): string => (description ?? '').trim();
const cell = (description: string | null | undefined): string =>
  text(description).replace(/\s+/g, ' ').replaceAll('|', '\\|');
