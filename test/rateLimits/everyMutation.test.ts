import {
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSchema } from '../../src/app/schema.ts';
import { RATE_LIMITS } from '../../src/core/rateLimits.ts';
import { TypedDocumentString } from '../generated/graphql.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { somebody } from '../support/people.ts';

const mutations = Object.values(createSchema().getMutationType()?.getFields() ?? {});

let app: TestApp;
beforeAll(async () => {
  // Two at once: one as a burst, one of the steady ones.
  const rates = { most: 1, seconds: 600 };
  const acts = Object.keys(RATE_LIMITS).map((act) => [act, rates]);
  app = await startTestApp({ config: { rateLimits: Object.fromEntries(acts) } });
});
afterAll(() => app?.stop());

/** The least that is well formed, for what is not costs nothing; what it names does not exist. */
function least(type: GraphQLInputType): string {
  const [named, nullable] = [getNamedType(type), getNullableType(type)];
  if (isListType(nullable)) return `[${least(nullable.ofType)}]`;
  if (isEnumType(named)) return named.getValues().at(-1)?.name ?? '';
  if (isInputObjectType(named)) {
    const required = Object.values(named.getFields()).filter(isRequiredInputField);
    return `{ ${required.map((field) => `${field.name}: ${least(field.type)}`).join(' ')} }`;
  }
  return { Boolean: 'true', Int: '1' }[named.name] ?? '"x"';
}

test.each(mutations)(
  '$name can be done only so fast, even where nothing comes of it',
  async ({ name, args }) => {
    const given = args.filter(isRequiredArgument).map((arg) => `${arg.name}: ${least(arg.type)}`);
    const document = new TypedDocumentString<unknown, undefined>(
      `mutation { ${name}(${given.join(' ')}) { __typename } }`,
    );
    const aki = await somebody(app);
    const answers = [];
    for (let n = 0; n < 3; n++) answers.push(await aki.refused(document));
    expect(answers.slice(0, 2)).not.toContain('RATE_LIMITED');
    expect(answers[2]).toBe('RATE_LIMITED');
  },
);
