import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSchema } from '../../src/app/schema.ts';
import { RATE_LIMITS } from '../../src/core/rateLimits.ts';
import { graphql } from '../generated/gql.ts';
import { LikeMessage } from '../reactions/likes/support/operations.ts';
import { SendMessage } from '../support/clients/operations.ts';
import { newUser, roomOf } from '../support/clients/people.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';

const limits = Object.keys(RATE_LIMITS).filter((limit) => limit !== 'anonymous');

const TwoMutations = graphql(`
  mutation TwoMutations($roomId: ID!) {
    failed: likeMessage(input: { messageId: "x" }) { message { id } }
    sent: sendMessage(input: { roomId: $roomId, body: "It is stored." }) { message { body } }
  }
`);

let app: TestApp;
beforeAll(async () => {
  // Two calls at once: one as a burst, one of the steady ones.
  const rate = { max: 1, seconds: 600 };
  app = await startTestApp({
    config: { rateLimits: Object.fromEntries(limits.map((limit) => [limit, rate])) },
  });
});
afterAll(() => app?.stop());

/** Mutations that have the types of another one. */
const SHARED: Readonly<Record<string, string>> = { unblockUser: 'blockUser' };

/** `mutation` of src/graphql charges the limit and declares it as an extension: it cannot be called without one. */
test('schema: every mutation is defined with its limit, its payload, and one input if it has any', () => {
  const mutations = Object.values(createSchema().getMutationType()?.getFields() ?? {});
  expect(mutations).not.toHaveLength(0);
  for (const { name, args, type, extensions } of mutations) {
    expect(limits, name).toContain(extensions.rateLimit);
    const named = SHARED[name] ?? name;
    const types = `${named.slice(0, 1).toUpperCase()}${named.slice(1)}`;
    expect(args.map((arg) => `${arg.name}: ${arg.type}`)).toEqual(
      args.length === 0 ? [] : [`input: ${types}Input!`],
    );
    expect(`${type}`).toBe(`${types}Payload`);
  }
});

test('mutation: a failure does not hide the results of the other mutations of a document', async () => {
  const aki = await newUser(app);
  const roomId = await roomOf(aki);
  const { data, errors } = await aki.send(TwoMutations, { roomId });
  expect(data).toMatchObject({ failed: null, sent: { message: { body: 'It is stored.' } } });
  expect(errors?.map(({ path, extensions }) => [path, extensions?.code])).toEqual([
    [['failed'], 'NOT_FOUND'],
  ]);
});

test('mutation: charges a call that fails', async () => {
  const aki = await newUser(app);
  const answers = [];
  for (let n = 0; n < 3; n++) answers.push(await aki.refused(LikeMessage, { messageId: 'x' }));
  expect(answers).toEqual(['NOT_FOUND', 'NOT_FOUND', 'RATE_LIMITED']);
});

test('mutation: does not charge a call with invalid input', async () => {
  const aki = await newUser(app);
  const roomId = await roomOf(aki);
  for (let n = 0; n < 3; n++) {
    expect(await aki.refused(SendMessage, { input: { roomId, body: '' } })).toBe('BAD_USER_INPUT');
  }
  await aki.do(SendMessage, { input: { roomId, body: 'first' } });
});
