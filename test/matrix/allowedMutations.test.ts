/** Every kind of user × every mutation that they may do × every state of the room × both transports. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeId } from '../../src/graphql/ids.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { type Answer, type Clients, clientsOf, TRANSPORTS, type Transport } from './support/clients.ts';
import { MUTATION_FIELDS } from './support/fieldRules.ts';
import {
  createFixtures,
  type Fixture,
  type Fixtures,
  secretsFrom,
  userKindsOf,
  variablesOf,
} from './support/fixture.ts';
import {
  type Covered,
  cellText,
  errorsAt,
  errorsText,
  fieldMismatches,
  isObject,
  leakedSecrets,
  mismatchText,
  objectsIn,
} from './support/mismatches.ts';
import { type CaseContext, type MutationCase, mutationCases } from './support/mutationCases.ts';
import { ALIAS, mutationDocument, payloadOf } from './support/mutationDocuments.ts';
import {
  type Cell,
  expectedMutation,
  type Relation,
  ROOM_STATES,
  type RoomState,
  relationAfter,
  relationOf,
  type UserKind,
} from './support/oracle.ts';
import { allowedFields, type FieldCase, fieldCases, refusedFields } from './support/pathCases.ts';
import { createUser, globalUserId } from './support/room.ts';
import { rowsOf } from './support/schema.ts';

let database: TestDynamo;
let app: TestApp;
let fixtures: Fixtures;
beforeAll(async () => {
  database = await openTestDynamo({ file: true });
  const withConsumer = await startTestApp({ database });
  fixtures = await createFixtures(withConsumer, SPARES);
  await withConsumer.stop();
  // These tests need nothing that the consumer would derive from here on.
  app = await startTestApp({ database, role: 'api' });
});
afterAll(async () => {
  await app?.stop();
  await database?.stop();
});

/** How many members are removed, banned or promoted in one room. */
const SPARES = 12;

const covered: Record<Transport, Covered> = { HTTP: new Set(), websocket: new Set() };

interface Request {
  readonly mutation: MutationCase;
  readonly cell: Cell;
  readonly transport: Transport;
  readonly clients: Clients;
}

const lineOf = ({ mutation, cell, transport }: Request, mismatch: string): string =>
  `${cellText(mutation.name, cell, transport)}: ${mismatch}`;

/** Sends the mutation and then restores the room. */
async function perform({ mutation, cell: { kind, state }, transport, clients }: Request, document: string) {
  const fixture = fixtures[state];
  const user = fixture.users[kind];
  const context: CaseContext = {
    services: app.services,
    fixture,
    kind,
    user,
    createUser: () => createUser(app, 'newcomer'),
  };
  const variables = { ...variablesOf(fixture, kind), ...(await mutation.prepare?.(context)) };
  const answer = await clients[transport].request(document, variables);
  await mutation.undo?.(context);
  return { fixture, answer, viewer: globalUserId(user), ownMembership: String(variables.ownMembership) };
}

/** The mismatches in the answer to a mutation that the user may do. */
async function mutationMismatches(request: Request): Promise<string[]> {
  const { mutation, cell, transport } = request;
  const relation = relationAfter(mutation.name, cell);
  const payload = payloadOf(mutation, cell, relation);
  const inner = ({ shape }: FieldCase) => allowedFields(fieldCases(shape.type, cell, relation));
  const { fixture, answer, viewer, ownMembership } = await perform(
    request,
    mutationDocument(mutation, payload, inner),
  );
  const errors = errorsAt(ALIAS, answer);
  if (errors.length > 0 || !isObject(answer.data)) {
    return [lineOf(request, `expected success, got ${errorsText(errors) || answer.text}`)];
  }
  const results = objectsIn(answer.data[ALIAS]);
  covered[transport].add(`Mutation.${mutation.field}`);
  const mismatches = [
    ...fieldMismatches(payload, results, { viewer, covered: covered[transport] }),
    ...payload.flatMap((field) => {
      const objects = results.flatMap((result) => objectsIn(result[field.field]));
      // Types that queries reach as well are covered by their tests.
      const of = field.shape.type in MUTATION_FIELDS ? covered[transport] : new Set<string>();
      return fieldMismatches(inner(field), objects, { viewer, covered: of, hasValues: false });
    }),
  ];
  // The users know their own membership, and the code that let them in.
  const known = [ownMembership, fixture.code];
  const leaks = isAboutAnotherRoom(mutation, cell)
    ? roomSecretsIn(fixture, answer)
    : leakedSecrets(answer.text, secretsFrom(fixture, relation));
  return [
    ...mismatches.map((mismatch) => lineOf(request, mismatchText(mismatch))),
    ...leaks.filter((leak) => !known.includes(leak)).map((leak) => lineOf(request, `contains “${leak}”`)),
    ...(await refusedFieldMismatches(request)),
  ];
}

/** Whether the payload's room is one that the user has just created or opened. */
const isAboutAnotherRoom = ({ name, field }: MutationCase, { kind, state }: Cell): boolean =>
  field === 'createRoom' ||
  (name === 'openDirectRoom' && !(state === 'direct' && ['left', 'member', 'owner'].includes(kind)));

const roomSecretsIn = ({ room, texts }: Fixture, { text }: Answer): string[] =>
  leakedSecrets(text, [encodeId('Room', room), texts.body]);

/** Fields that the user may not see are refused in a payload too. */
async function refusedFieldMismatches(request: Request): Promise<string[]> {
  const { mutation, cell } = request;
  const relation = relationAfter(mutation.name, cell);
  const mismatches: string[] = [];
  for (const one of payloadOf(mutation, cell, relation)) {
    const refused = refusedFields(fieldCases(one.shape.type, cell, relation));
    if (refused.length === 0 || !one.shape.isObject) continue;
    const { answer } = await perform(
      request,
      mutationDocument(mutation, [one], () => refused),
    );
    const errors = errorsAt(ALIAS, answer);
    const expected = refused.map(({ field, expected: code }) => `${code} at ${one.field}.${field}`);
    const good = errors.length > 0 && errors.every((error) => expected.includes(errorsText([error])));
    const absent = one.row.sparse === true && errors.length === 0 && !answer.text.includes('edges');
    if (!good && !absent)
      mismatches.push(lineOf(request, `${one.name}: expected ${expected}, got ${answer.text}`));
  }
  return mismatches;
}

/** Members are the last, because a full room is not full after one of them leaves. */
const outsidersFirst = (state: RoomState): UserKind[] => {
  const withRelation = (...relations: Relation[]) =>
    userKindsOf(state).filter((kind) => relations.some((one) => one === relationOf({ kind, state })));
  return [
    ...withRelation('visible', 'hidden'),
    ...withRelation('member', 'moderator', 'owner', 'participant'),
  ];
};

describe.each(ROOM_STATES)('allowed mutations: in a %s room', (state) => {
  test.each(outsidersFirst(state))('as %s each succeeds and returns what the oracle allows', async (kind) => {
    const cell: Cell = { kind, state };
    const mismatches: string[] = [];
    const clients = await clientsOf(app.url, fixtures[state], kind);
    for (const mutation of mutationCases.filter(({ name }) => expectedMutation(name, cell) === 'ok')) {
      for (const transport of TRANSPORTS) {
        mismatches.push(...(await mutationMismatches({ mutation, cell, transport, clients })));
      }
    }
    await clients.websocket.close();
    expect(mismatches).toEqual([]);
  });
});

test.each(TRANSPORTS)(
  'allowed mutations: over %s, a new user may delete their account',
  async (transport) => {
    const user = await createUser(app, 'newcomer');
    const users = { ...fixtures.public.users, stranger: user };
    const clients = await clientsOf(app.url, { users }, 'stranger');
    const answer = await clients[transport].request(
      `mutation ($confirm: String!) {
      ${ALIAS}: deleteAccount(input: { confirm: $confirm, eraseMessages: true }) { deletedUserId }
    }`,
      { confirm: user.handle },
    );
    expect(answer.data).toEqual({ [ALIAS]: { deletedUserId: globalUserId(user) } });
    covered[transport].add('Mutation.deleteAccount').add('DeleteAccountPayload.deletedUserId');
    await clients.websocket.close();
  },
);

test.each(TRANSPORTS)(
  'allowed mutations: over %s, every payload field had a value for some user',
  (transport) => {
    expect(rowsOf(MUTATION_FIELDS).filter((row) => !covered[transport].has(row))).toEqual([]);
  },
);
