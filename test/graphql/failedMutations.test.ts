import { readFile } from 'node:fs/promises';
import { buildSchema, isNonNullType } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newUser, roomOf } from '../support/clients/people.ts';
import { startTestApp, type TestApp, tokenFor } from '../support/servers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());

test('mutations: every field is nullable, so that one failure does not take the data of the others away', async () => {
  const schema = buildSchema(await readFile('schema/schema.graphql', 'utf8'));
  const fields = Object.values(schema.getMutationType()?.getFields() ?? {});
  expect(fields.length).toBeGreaterThan(30);
  expect(fields.filter(({ type }) => isNonNullType(type)).map(({ name }) => name)).toEqual([]);
});

test('mutations: the results before and after one that fails reach the client', async () => {
  const aki = await newUser(app);
  const roomId = await roomOf(aki);
  const response = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/graphql-response+json',
      authorization: `Bearer ${await tokenFor(aki.handle)}`,
    },
    body: JSON.stringify({
      query: `mutation ($one: SendMessageInput!, $blank: SendMessageInput!, $other: SendMessageInput!) {
        one: sendMessage(input: $one) { message { body } }
        blank: sendMessage(input: $blank) { message { body } }
        other: sendMessage(input: $other) { message { body } }
      }`,
      variables: {
        one: { roomId, body: 'one' },
        blank: { roomId, body: ' ' },
        other: { roomId, body: 'other' },
      },
    }),
  });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    data: { one: { message: { body: 'one' } }, blank: null, other: { message: { body: 'other' } } },
    errors: [{ path: ['blank'], extensions: { code: 'BAD_USER_INPUT', field: 'input.body' } }],
  });
});
