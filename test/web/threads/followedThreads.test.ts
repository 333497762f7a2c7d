import { describe, expect, it } from 'vitest';
import { ApiError, type FailureCode } from '../../../web/src/api/errors.ts';
import {
  FollowedThreadDocument,
  FollowedThreadsDocument,
  NotificationChangedDocument,
  OwnRepliesDocument,
} from '../../../web/src/generated/graphql.ts';
import {
  createFollowedThreads,
  type FollowedThreadsOptions,
} from '../../../web/src/threads/followedThreads.ts';

const at = (minute: number) => new Date(minute * 60_000).toISOString();
const person = (id: string) => ({ id, handle: id, displayName: id, avatarUrl: null, isFormer: false });

const root = (id: string, minute: number) => ({
  id,
  body: id,
  createdAt: at(0),
  lastReplyAt: at(minute),
  replyCount: 1,
  author: person('ben'),
  room: { id: 'room', name: 'Room', eventsCursor: 'cursor', people: null },
});
const reply = (id: string) => ({ id, body: id, author: person('ben') });

interface Asked {
  readonly document: unknown;
  answer(data: unknown): void;
  fail(code: FailureCode): void;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A list with the thread `soup`, and the server's side of it: answers, events and waits are the test's. */
async function opened() {
  const asked: Asked[] = [];
  const waits: (() => void)[] = [];
  const listening = new Map<unknown, (data: unknown) => void>();
  const api = {
    queryUncached: (document: unknown) =>
      new Promise((answer, reject) => {
        asked.push({ document, answer, fail: (code) => reject(new ApiError(code)) });
      }),
    connection: {
      backoff: { wait: () => new Promise<void>((end) => waits.push(end)) },
      subscribe(handler: { document: unknown; next(data: unknown): void; onOpening?(): void }) {
        listening.set(handler.document, (data) => handler.next(data));
        handler.onOpening?.();
        return () => listening.delete(handler.document);
      },
    },
  } as unknown as FollowedThreadsOptions['api'];
  const threads = createFollowedThreads({ api, viewerId: 'aki' });
  const next = async (document: unknown): Promise<Asked> => {
    await settled();
    const one = asked.shift();
    expect(one?.document).toBe(document);
    if (one === undefined) throw new Error('Nothing was asked.');
    return one;
  };
  const page = (...hasUnread: readonly boolean[]) => ({
    viewer: {
      id: 'aki',
      threads: {
        edges: hasUnread.map((has) => ({
          node: { hasUnread: has, root: root('soup', 1), replies: [reply('first')] },
        })),
        pageInfo: { hasNextPage: false, endCursor: null },
      },
    },
  });
  (await next(FollowedThreadsDocument)).answer(page(false));
  await settled();
  return {
    asked,
    waits,
    threads,
    next,
    page,
    unread: () => threads.get().listing.threads?.map(({ root: { id }, hasUnread }) => [id, hasUnread]),
    /** A notification of a reply, or that it was read. */
    notify: (id: string, newestId: string, readAt: string | null) =>
      listening.get(NotificationChangedDocument)?.({
        notificationChanged: {
          notification: { kind: 'REPLY', message: { id }, latestReply: { id: newestId }, readAt },
        },
      }),
    ownReply: (id: string, newestId: string) =>
      listening.get(OwnRepliesDocument)?.({
        roomEvents: {
          __typename: 'MessageAdded',
          cursor: newestId,
          message: { id: newestId, author: { id: 'aki' }, root: { id } },
        },
      }),
    thread: (id: string, newestId: string) => ({
      node: {
        __typename: 'Message',
        ...root(id, 2),
        viewerIsFollowing: true,
        replies: { edges: [{ node: reply(newestId) }] },
      },
    }),
  };
}

describe('web, followed threads', () => {
  it('a thread that is read on another device while its new reply is loaded stays read', async () => {
    const { notify, next, thread, unread } = await opened();
    notify('soup', 'second', null);
    const asked = await next(FollowedThreadDocument);
    notify('soup', 'second', at(3));
    asked.answer(thread('soup', 'second'));
    await settled();
    expect(unread()).toEqual([['soup', false]]);
  });

  it('a thread that is read on another device between two attempts stays read', async () => {
    const { notify, next, thread, unread, waits } = await opened();
    notify('soup', 'second', null);
    (await next(FollowedThreadDocument)).fail('UNAVAILABLE');
    await settled();
    notify('soup', 'second', at(3));
    waits.shift()?.();
    (await next(FollowedThreadDocument)).answer(thread('soup', 'second'));
    await settled();
    expect(unread()).toEqual([['soup', false]]);
  });

  it('an own reply that is loaded leaves what is unread as it is, and other threads change nothing', async () => {
    const { notify, ownReply, next, thread, unread } = await opened();
    notify('salt', 'one', null);
    (await next(FollowedThreadDocument)).answer(thread('salt', 'one'));
    await settled();
    ownReply('salt', 'two');
    const asked = await next(FollowedThreadDocument);
    notify('soup', 'first', at(3));
    asked.answer(thread('salt', 'two'));
    await settled();
    expect(unread()).toEqual([
      ['salt', true],
      ['soup', false],
    ]);
  });

  it('a thread that was read before its row was loaded is none of the unread ones', async () => {
    const { threads, notify, next, page, thread, unread } = await opened();
    threads.show('unread');
    (await next(FollowedThreadsDocument)).answer(page());
    await settled();
    notify('soup', 'second', null);
    const asked = await next(FollowedThreadDocument);
    notify('soup', 'second', at(3));
    asked.answer(thread('soup', 'second'));
    await settled();
    expect(unread()).toEqual([]);
  });

  it('the request of a list that was replaced or closed is not sent again', async () => {
    const { threads, next, page, waits, asked, unread } = await opened();
    threads.show('unread');
    (await next(FollowedThreadsDocument)).fail('UNAVAILABLE');
    await settled();
    threads.show('all');
    (await next(FollowedThreadsDocument)).answer(page(true));
    waits.shift()?.();
    await settled();
    expect(asked).toEqual([]);
    expect(unread()).toEqual([['soup', true]]);
    threads.show('unread');
    (await next(FollowedThreadsDocument)).fail('UNAVAILABLE');
    await settled();
    threads.close();
    waits.shift()?.();
    await settled();
    expect(asked).toEqual([]);
  });
});
