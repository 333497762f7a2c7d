import { afterAll, beforeAll, expect, test } from 'vitest';
import { defined } from '../../src/core/defined.ts';
import { graphql } from '../generated/gql.ts';
import { AddStamp } from '../reactions/stamps/support/operations.ts';
import { LeaveRoom } from '../support/clients/operations.ts';
import { type Person, people, roomOf, say } from '../support/clients/people.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { eventually } from '../support/time/eventually.ts';

const Followed = graphql(`
  query Followed($first: Int, $after: String, $replies: Int, $unreadOnly: Boolean) {
    viewer {
      unread { total }
      threads(first: $first, after: $after, replies: $replies, unreadOnly: $unreadOnly) {
        pageInfo { hasNextPage endCursor }
        edges {
          cursor
          node {
            root { body room { name } }
            replies { body }
            hasMoreReplies
            stamps { stamp { key } }
            viewerIsFollowing
            hasUnread
          }
        }
      }
    }
  }
`);
const ReadThread = graphql(`
  mutation ReadFollowed($messageId: ID!) { markThreadRead(input: { messageId: $messageId }) { unread { total } } }
`);
const ReadAll = graphql(`mutation ReadAllFollowed { markNotificationsRead(input: {}) { unread { total } } }`);

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());

type Page = { first?: number; after?: string; replies?: number; unreadOnly?: boolean };
const threadsOf = async (who: Person, page: Page = {}) => (await who.do(Followed, page)).viewer.threads;

/** The threads as text: the root's room and body, the replies, stamps, and "!" if there is something unread. */
async function shown(who: Person, page?: Page): Promise<string[]> {
  const { edges } = await threadsOf(who, page);
  return edges.map(({ node }) => {
    const { root, replies, stamps } = node;
    expect(node.viewerIsFollowing).toBe(true);
    const parts = [...replies.map(({ body }) => body), ...stamps.map(({ stamp }) => `[${stamp.key}]`)];
    return `${root.room.name} ${root.body}: ${parts.join(' ')}${node.hasUnread ? ' !' : ''}`;
  });
}

test('Viewer.threads: threads of all rooms with replies, stamps and what is unread, as the badge has it', async () => {
  const [aki, ben] = await people(app, 2);
  const [first, second] = [
    await roomOf(aki, [ben], { name: 'One' }),
    await roomOf(aki, [ben], { name: 'Two' }),
  ];
  const a = (await say(aki, first, 'a')).id;
  const b = (await say(aki, second, 'b')).id;
  await say(ben, first, 'a1', a);
  const b1 = (await say(ben, second, 'b1', b)).id;
  await ben.do(AddStamp, { messageId: b1, stamp: 'tea' });
  await eventually(async () => expect(await shown(aki)).toEqual(['Two b: b1 [tea] !', 'One a: a1 !']));
  await eventually(async () => expect(await shown(ben)).toEqual(['Two b: b1 [tea]', 'One a: a1']));

  await aki.do(ReadThread, { messageId: b });
  expect(await shown(aki)).toEqual(['Two b: b1 [tea]', 'One a: a1 !']);
  expect(await shown(aki, { unreadOnly: true })).toEqual(['One a: a1 !']);
  await say(aki, first, 'a2', a);
  await eventually(async () =>
    expect(await shown(aki, { replies: 1 })).toEqual(['One a: a2 !', 'Two b: b1 [tea]']),
  );
  await aki.do(ReadAll, {});
  expect(await shown(aki, { replies: 0 })).toEqual(['One a: ', 'Two b: ']);

  await ben.do(LeaveRoom, { roomId: first });
  expect(await shown(ben)).toEqual(['Two b: b1 [tea]']);
});

test('Viewer.threads: pages, one after another', async () => {
  const [aki] = await people(app, 1);
  const roomId = await roomOf(aki);
  for (const name of ['a', 'b', 'c']) await say(aki, roomId, 'reply', (await say(aki, roomId, name)).id);
  await eventually(async () => expect((await threadsOf(aki)).edges).toHaveLength(3));
  const found: string[] = [];
  let after: string | undefined;
  for (;;) {
    const { edges, pageInfo } = await threadsOf(aki, { first: 1, ...defined({ after }) });
    found.push(...edges.map(({ node }) => String(node.root.body)));
    if (!pageInfo.hasNextPage || pageInfo.endCursor === null) break;
    after = pageInfo.endCursor;
  }
  expect(found).toEqual(['c', 'b', 'a']);
});

test('Viewer.threads: refuses wrong arguments', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(ben);
  await say(ben, roomId, 'reply', (await say(ben, roomId, 'root')).id);
  await eventually(async () => expect((await threadsOf(ben)).edges).toHaveLength(1));
  const [theirs] = (await threadsOf(ben)).edges;
  for (const page of [
    { first: 0 },
    { first: 101 },
    { replies: 4 },
    { after: 'x' },
    { after: theirs?.cursor ?? '' },
  ]) {
    expect(await aki.refused(Followed, page)).toBe('BAD_USER_INPUT');
  }
});
