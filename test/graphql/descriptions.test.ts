/** GraphiQL is the documentation: whatever one can ask for says what it is. */
import {
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import { expect, test } from 'vitest';
import { createSchema } from '../../src/app/schema.ts';

interface Described {
  readonly name: string;
  readonly description?: string | null | undefined;
}

/** A type with everything in it, by its path. */
function partsOf(type: GraphQLNamedType): Array<[path: string, Described]> {
  const within = (path: string, parts: readonly Described[]) =>
    parts.map((part): [string, Described] => [`${path}.${part.name}`, part]);
  const all: Array<[string, Described]> = [[type.name, type]];
  if (isEnumType(type)) all.push(...within(type.name, type.getValues()));
  if (isInputObjectType(type)) all.push(...within(type.name, Object.values(type.getFields())));
  if (isObjectType(type) || isInterfaceType(type)) {
    for (const field of Object.values(type.getFields())) {
      all.push(...within(type.name, [field]), ...within(`${type.name}.${field.name}`, field.args));
    }
  }
  return all;
}

test('every type, field, argument and value is described', () => {
  const types = Object.values(createSchema().getTypeMap()).filter(
    (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
  );
  const silent = types
    .flatMap(partsOf)
    .filter(([, { description }]) => (description ?? '').trim() === '')
    .map(([path]) => path);
  expect(types.length).toBeGreaterThan(50);
  expect(silent).toEqual([]);
});
