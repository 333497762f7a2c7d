/** Every kind of user × every mutation that is refused to them × every state of the room × both transports. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dump } from '../support/database/table.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { type Answer, clientsOf, isEmpty, TRANSPORTS, unauthenticatedMismatch } from './support/clients.ts';
import { createFixtures, type Fixtures, secretsFrom, userKindsOf, variablesOf } from './support/fixture.ts';
import { cellText, leakedSecrets } from './support/mismatches.ts';
import { type MutationCase, mutationCases } from './support/mutationCases.ts';
import { ALIAS, mutationDocument, payloadOf } from './support/mutationDocuments.ts';
import { type Cell, expectedMutation, type Relation, ROOM_STATES, relationOf } from './support/oracle.ts';
import { allowedFields, type FieldCase, fieldCases } from './support/pathCases.ts';

let app: TestApp;
let fixtures: Fixtures;
beforeAll(async () => {
  // Otherwise a read position is written while a refused mutation runs.
  app = await startTestApp({ putOffMs: 0 });
  fixtures = await createFixtures(app);
});
afterAll(() => app?.stop());

const documents = new Map<MutationCase, string>();

/** Requests all fields that an owner could see. The mutation must be refused before any of them is resolved. */
function fullDocument(mutation: MutationCase): string {
  const owner: Cell = { kind: 'owner', state: 'public' };
  const inner = ({ shape }: FieldCase) => allowedFields(fieldCases(shape.type, owner));
  const document =
    documents.get(mutation) ?? mutationDocument(mutation, payloadOf(mutation, owner, 'owner'), inner);
  documents.set(mutation, document);
  return document;
}

/** What is wrong with the answer to a mutation that has to be refused with this code, or null. */
function refusalMismatch(code: string, relation: Relation, answer: Answer): string | null {
  if (relation === 'unauthenticated') {
    const got = unauthenticatedMismatch(answer);
    return got === null ? null : `expected ${code}, got ${got}`;
  }
  const got = answer.errors.map(({ extensions, path }) => `${extensions?.code} at ${path}`).join(', ');
  if (got !== `${code} at ${ALIAS}`) return `expected ${code}, got ${got || 'no error'}`;
  return isEmpty(answer.data) ? null : 'the answer has data';
}

async function signIn({ kind, state }: Cell): Promise<void> {
  const clients = await clientsOf(app.url, fixtures[state], kind);
  await clients.HTTP.request('{ viewer { id } }', {});
  await clients.websocket.close();
}

/** Refused mutations change nothing, so all users can send theirs at the same time. */
async function refusalMismatches(cell: Cell): Promise<string[]> {
  const { kind, state } = cell;
  const fixture = fixtures[state];
  const relation = relationOf(cell) as Relation;
  const clients = await clientsOf(app.url, fixture, kind);
  const variables = variablesOf(fixture, kind);
  const unknownRoom = variablesOf(fixture, kind, { unknownRoom: true });
  const secrets = secretsFrom(fixture, relation);
  const mismatches: string[] = [];
  for (const mutation of mutationCases) {
    const outcome = expectedMutation(mutation.name, cell);
    if (outcome === 'ok') continue;
    const document = fullDocument(mutation);
    const requests = TRANSPORTS.map(async (transport) => {
      // With an expired token the websocket is closed at once, so one mutation is enough.
      if (kind === 'expired' && transport === 'websocket' && mutation !== mutationCases[0]) return;
      const report = (what: string) =>
        mismatches.push(`${cellText(mutation.name, cell, transport)}: ${what}`);
      const answer = await clients[transport].request(document, variables);
      const mismatch = refusalMismatch(outcome, relation, answer);
      if (mismatch !== null) report(mismatch);
      for (const leak of leakedSecrets(answer.text, secrets)) report(`contains “${leak}”`);
      // Both transports send the same text, so comparing it once is enough.
      if (relation !== 'hidden' || transport !== 'HTTP') return;
      // A user with an invite's code may know that the room exists.
      if (outcome === 'ROOM_FULL') return;
      const { text } = await clients[transport].request(document, unknownRoom);
      if (text !== answer.text) report('differs from a room that never existed');
    });
    await Promise.all(requests);
  }
  await clients.websocket.close();
  return mismatches;
}

test.each(ROOM_STATES)(
  'refused mutations: in a %s room each has the code that the oracle expects, and changes nothing',
  async (state) => {
    // A profile follows the first token of its user.
    await Promise.all(userKindsOf(state).map((kind) => signIn({ kind, state })));
    const before = await dump(app.dynamo);
    const mismatches = await Promise.all(
      userKindsOf(state).map((kind) => refusalMismatches({ kind, state })),
    );
    expect(mismatches.flat()).toEqual([]);
    expect(await dump(app.dynamo)).toEqual(before);
  },
);
