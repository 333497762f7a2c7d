/** The mutations as documents. */
import type { MutationCase } from './mutationCases.ts';
import type { Cell, Relation } from './oracle.ts';
import { documentOf, type FieldCase, fieldCases, nestedText } from './pathCases.ts';
import { shapeOf } from './schema.ts';

/** The alias of the mutation in the documents. */
export const ALIAS = 'result';

/** The fields of the mutation's payload. */
export const payloadOf = ({ field }: MutationCase, cell: Cell, relation: Relation | null): FieldCase[] =>
  fieldCases(shapeOf('Mutation', field).type, cell, relation);

/** `inner` chooses the fields to request of the object in a payload's field. */
export function mutationDocument(
  { field, input }: MutationCase,
  payload: readonly FieldCase[],
  inner: (field: FieldCase) => FieldCase[],
): string {
  const selection = payload.map((one) => nestedText(one, inner(one))).join(' ');
  const args = input === null ? '' : `(input: { ${input} })`;
  return documentOf('mutation', `${ALIAS}: ${field}${args} { ${selection} }`);
}
