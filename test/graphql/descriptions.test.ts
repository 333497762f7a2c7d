/** GraphiQL shows the descriptions as the reference of the API, so every part of the schema needs one. */
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

/** A type and all its parts, by path. */
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

const parts = Object.values(createSchema().getTypeMap())
  .filter((type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type))
  .flatMap(partsOf);

test('descriptions: every type, field, argument and value has one', () => {
  const missing = parts.filter(([, { description }]) => (description ?? '').trim() === '');
  expect(parts.length).toBeGreaterThan(400);
  expect(missing.map(([path]) => path)).toEqual([]);
});

test('descriptions: each one is a sentence of at least three words, or several', () => {
  const fragments = parts.filter(
    ([, { description }]) => !/^\p{Lu}\S*( \S+){2,}\.$/su.test(description?.replace(/\s+/g, ' ') ?? ''),
  );
  expect(fragments.map(([path, { description }]) => `${path}: ${description}`)).toEqual([]);
});
