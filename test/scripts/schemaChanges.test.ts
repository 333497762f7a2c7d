/** What the check of the schema refuses. */
import { expect, test } from 'vitest';
import { schemaProblems } from '../../scripts/schema/changes.ts';

const RELEASED = `
  type Query { old: Int @deprecated(reason: "Use a.") a(x: Int): Int! b: Kind }
  enum Kind { ONE TWO }
`;

test('schemaProblems: additions, and the removal of what was deprecated, break no one', async () => {
  const current = `
    type Query { a(x: Int, y: Int): Int! b: Kind c: Int }
    enum Kind { ONE TWO THREE }
  `;
  expect(await schemaProblems(RELEASED, current, [])).toEqual([]);
});

test.each([
  ['a field is removed', `type Query { old: Int b: Kind } enum Kind { ONE TWO }`, 'a'],
  ['a field may be null', `type Query { old: Int a(x: Int): Int b: Kind } enum Kind { ONE TWO }`, 'a'],
  ['an argument is required', `type Query { old: Int a(x: Int!): Int! b: Kind } enum Kind { ONE TWO }`, 'x'],
  ['an enum value is removed', `type Query { old: Int a(x: Int): Int! b: Kind } enum Kind { ONE }`, 'TWO'],
])('schemaProblems: refuses it if %s, unless it is accepted', async (_what, current, name) => {
  const [problem = '', ...more] = await schemaProblems(RELEASED, current, []);
  expect(more).toEqual([]);
  expect(problem).toMatch(/^It breaks clients: /);
  expect(problem).toContain(name);
  const change = problem.replace('It breaks clients: ', '');
  expect(await schemaProblems(RELEASED, current, [{ change, reason: 'A test.' }])).toEqual([]);
  expect(await schemaProblems(RELEASED, RELEASED, [{ change, reason: 'A test.' }])).toEqual([
    `There is no such change: ${change}`,
  ]);
});
