import { describe, expect, it } from 'vitest';
import { createMembers, type Member } from '../../../web/src/members/members.ts';

const member = (handle: string, role: Member['role'] = 'MEMBER'): Member => ({
  id: `m-${handle}`,
  role,
  joinedAt: '2026-01-01T00:00:00.000Z',
  user: { id: handle, handle, displayName: handle, avatarUrl: null, isFormer: false },
});

/** A server whose answers the test delivers, page by page. */
function server() {
  const asked: { readonly after: string | undefined; answer(members: Member[], next?: string): void }[] = [];
  const api = {
    queryUncached: (_document: unknown, { after }: { after?: string }) =>
      new Promise((resolve) => {
        asked.push({
          after,
          answer: (members, next) =>
            resolve({
              room: {
                id: 'room',
                members: {
                  edges: members.map((node) => ({ node })),
                  pageInfo: { hasNextPage: next !== undefined, endCursor: next ?? null },
                },
              },
            }),
        });
      }),
    connection: { backoff: { wait: () => Promise.resolve() } },
  } as unknown as Parameters<typeof createMembers>[0];
  return { asked, members: createMembers(api, 'room') };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('web members', () => {
  it('members: are read on request, page by page, without duplicates', async () => {
    const { asked, members } = server();
    expect(asked).toHaveLength(0);
    members.open();
    members.open();
    expect(asked).toHaveLength(1);
    asked[0]?.answer([member('aki', 'OWNER'), member('ben')], 'behind ben');
    await settled();
    expect(members.get()).toMatchObject({ status: 'ready', hasMore: true });
    void members.more();
    void members.more();
    expect(asked.map(({ after }) => after)).toEqual([undefined, 'behind ben']);
    asked[1]?.answer([member('ben'), member('chie')]);
    await settled();
    expect([...members.get().members.keys()]).toEqual(['aki', 'ben', 'chie']);
    expect(members.get().hasMore).toBe(false);
  });

  it('members: apply events that arrive during the read of an older page', async () => {
    const { asked, members } = server();
    members.open();
    members.changed({ user: { id: 'ben' }, membership: null });
    members.changed({ user: { id: 'chie' }, membership: member('chie', 'MODERATOR') });
    asked[0]?.answer([member('aki', 'OWNER'), member('ben'), member('chie')]);
    await settled();
    const roles = [...members.get().members.values()].map(({ user, role }) => `${user.id}: ${role}`);
    expect(roles.sort()).toEqual(['aki: OWNER', 'chie: MODERATOR']);
  });

  it('members: are read again after missed events, and ignore the result of the older request', async () => {
    const { asked, members } = server();
    members.open();
    members.resync();
    asked[0]?.answer([member('gone')]);
    asked[1]?.answer([member('aki', 'OWNER')]);
    await settled();
    expect([...members.get().members.keys()]).toEqual(['aki']);
  });
});
