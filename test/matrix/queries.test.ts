/** Every kind of user × every field, by every field that leads to it × every state of the room × both transports. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeId } from '../../src/graphql/ids.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import {
  type Answer,
  clientsOf,
  TRANSPORTS,
  type Transport,
  unauthenticatedMismatch,
} from './support/clients.ts';
import { QUERY_FIELDS } from './support/fieldRules.ts';
import { createFixtures, type Fixtures, secretsFrom, userKindsOf, variablesOf } from './support/fixture.ts';
import {
  type Covered,
  cellText,
  leakedSecrets,
  mismatchText,
  pathMismatches,
  textAt,
} from './support/mismatches.ts';
import { type Cell, type Relation, ROOM_STATES, relationOf } from './support/oracle.ts';
import { documentOf, needsOwnDocument, type PathCase, pathCases, pathText } from './support/pathCases.ts';
import { allPaths, nameOf } from './support/paths.ts';
import { rowsOf } from './support/schema.ts';

let app: TestApp;
let fixtures: Fixtures;
beforeAll(async () => {
  app = await startTestApp();
  fixtures = await createFixtures(app);
});
afterAll(() => app?.stop());

const paths = allPaths();
const covered: Record<Transport, Covered> = { HTTP: new Set(), websocket: new Set() };

/** Cases that are requested in one document. */
type Batch = readonly PathCase[];

/** The most characters of a document, so that it stays well below the server's limit of tokens. */
const MAX_BATCH_LENGTH = 5_500;
/** Without a token the limit is a quarter of that. */
const MAX_ANONYMOUS_LENGTH = 1_300;

function batchesFor(cell: Cell): Batch[] {
  const cases = paths.flatMap((path) => pathCases(path, cell));
  const batches: PathCase[][] = [[]];
  let length = 0;
  const max = cell.kind === 'anonymous' ? MAX_ANONYMOUS_LENGTH : MAX_BATCH_LENGTH;
  for (const pathCase of cases.filter((one) => !needsOwnDocument(one))) {
    const { length: added } = pathText(pathCase);
    if (length + added > max) {
      batches.push([]);
      length = 0;
    }
    batches.at(-1)?.push(pathCase);
    length += added;
  }
  return [...batches, ...cases.filter(needsOwnDocument).map((pathCase) => [pathCase])];
}

const documentFor = (batch: Batch): string =>
  documentOf('query', batch.map((pathCase, i) => `q${i}: ${pathText(pathCase)}`).join('\n'));

interface BatchContext {
  readonly cell: Cell;
  readonly relation: Relation;
  readonly transport: Transport;
}

/** A line for each mismatch. */
function batchMismatches(
  batch: Batch,
  answer: Answer,
  { cell, relation, transport }: BatchContext,
): string[] {
  const fixture = fixtures[cell.state];
  const at = (what: string) => cellText(what, cell, transport);
  const contains = (what: string, secret: string) => `${at(what)}: contains “${secret}”`;
  const secrets = secretsFrom(fixture, relation);
  const leaks = batch.flatMap(({ path }, i) =>
    leakedSecrets(textAt(`q${i}`, answer), secrets).map((secret) => contains(nameOf(path), secret)),
  );
  if (leaks.length === 0)
    leaks.push(...leakedSecrets(answer.text, secrets).map((secret) => contains('a document', secret)));
  if (relation === 'unauthenticated') {
    const got = unauthenticatedMismatch(answer);
    const [first] = batch;
    const what = first === undefined ? '' : `${nameOf(first.path)} and others`;
    return got === null ? leaks : [...leaks, `${at(what)}: expected UNAUTHENTICATED, got ${got}`];
  }
  const failure = answer.errors.find(({ path }) => path === undefined);
  if (failure !== undefined || answer.closed !== undefined) {
    return [`${at('a whole document')}: ${failure?.message ?? answer.text}`];
  }
  const context = {
    answer,
    viewer: encodeId('User', fixture.users[cell.kind].id),
    room: encodeId('Room', fixture.room),
    covered: covered[transport],
  };
  const mismatches = batch.flatMap((pathCase, i) => pathMismatches(pathCase, { ...context, alias: `q${i}` }));
  return [...leaks, ...mismatches.map(({ what, ...rest }) => mismatchText({ what: at(what), ...rest }))];
}

describe.each(ROOM_STATES)('queries: a %s room', (state) => {
  test.each(userKindsOf(state))('as %s returns what the oracle allows', async (kind) => {
    const cell: Cell = { kind, state };
    const relation = relationOf(cell) as Relation;
    const fixture = fixtures[state];
    const clients = await clientsOf(app.url, fixture, kind);
    const variables = variablesOf(fixture, kind);
    const unknownRoom = variablesOf(fixture, kind, { unknownRoom: true });
    const mismatches: string[] = [];
    for (const batch of batchesFor(cell)) {
      const document = documentFor(batch);
      const requests = TRANSPORTS.map(async (transport) => {
        const [answer, toUnknown] = await Promise.all([
          clients[transport].request(document, variables),
          // A hidden room is answered, byte by byte, like a room that never existed.
          relation === 'hidden' ? clients[transport].request(document, unknownRoom) : null,
        ]);
        mismatches.push(...batchMismatches(batch, answer, { cell, relation, transport }));
        if (toUnknown !== null && toUnknown.text !== answer.text)
          mismatches.push(`${cellText(document, cell, transport)}: differs from a room that never existed`);
      });
      await Promise.all(requests);
    }
    await clients.websocket.close();
    expect(mismatches).toEqual([]);
  });
});

/** A value of the query itself, so no path leads to it. */
test.each(userKindsOf('public'))('queries: webPushPublicKey as %s', async (kind) => {
  const clients = await clientsOf(app.url, fixtures.public, kind);
  for (const transport of TRANSPORTS) {
    const answer = await clients[transport].request('{ webPushPublicKey }', {});
    if (relationOf({ kind, state: 'public' }) === 'unauthenticated') {
      expect(unauthenticatedMismatch(answer)).toBeNull();
    } else {
      expect(answer.data).toEqual({ webPushPublicKey: expect.stringMatching(/^[\w-]{87}$/) });
      covered[transport].add('Query.webPushPublicKey');
    }
  }
  await clients.websocket.close();
});

test.each(TRANSPORTS)('queries: over %s, every field had a value for some user', (transport) => {
  expect(rowsOf(QUERY_FIELDS).filter((row) => !covered[transport].has(row))).toEqual([]);
});
