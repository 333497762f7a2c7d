/** The queries of saved messages that a client has, with what each of them has to return, for `saved.ts`. */
import { toTimestamp } from '../src/core/timestamps.ts';
import { exportSaved } from '../src/export/saved.ts';
import { encodeId } from '../src/graphql/ids.ts';
import { savedId } from '../src/saved/entry.ts';
import * as ask from '../test/dynamo/support/costOperations.ts';
import { CostLiked } from '../test/reactions/likes/support/liked.ts';
import { SavedTags } from '../test/saved/support/operations.ts';
import { CostSchedule, CostScheduled } from '../test/scheduled/support/operations.ts';
import { globalId, messageKey, type Person, say } from '../test/support/clients/people.ts';
import type { TestApp } from '../test/support/servers/app.ts';

/** A page has ten, and there is one more. */
const COUNT = 11;
const TAGS = ['t0', 't1', 't2'];
/** The first of `goneEntries`. */
const FIRST_GONE = toTimestamp(1_000);

export interface SavedScene {
  readonly app: TestApp;
  /** Has saved a lot. */
  readonly ben: Person;
  /** Is in the same room. */
  readonly aki: Person;
  readonly roomId: string;
}

/**
 * Saves what the first page of each list has: messages that exist. Resolves to the last one that was saved publicly.
 */
export async function saveFirst({ aki, ben, roomId }: SavedScene): Promise<string> {
  const tomorrow = Date.now() + 24 * 3_600_000;
  let last = '';
  const later = (i: number) => new Date(tomorrow + i * 60_000).toISOString();
  for (let i = 0; i < COUNT; i++) {
    const [untagged, hidden] = [
      await say(aki, roomId, `untagged ${i}`),
      await say(aki, roomId, `hidden ${i}`),
    ];
    await ben.do(ask.CostSave, { input: { messageId: untagged.id } });
    await ben.do(ask.CostSave, { input: { messageId: hidden.id, tags: TAGS } });
    await ben.do(CostSchedule, { input: { roomId, body: `later ${i}`, sendAt: later(i) } });
  }
  for (let i = 0; i < COUNT; i++) {
    last = (await say(aki, roomId, `public ${i}`)).id;
    const input = { messageId: last, tags: TAGS, visibility: 'PUBLIC', remindAt: later(i) } as const;
    await ben.do(ask.CostSave, { input });
    await ben.do(ask.CostLike, { messageId: last });
  }
  return last;
}

/** How many a page has. */
type Read = () => Promise<number>;

/** `last`: what `saveFirst` resolved to. */
export async function savedRequests(
  { app, ben, aki, roomId }: SavedScene,
  last: string,
): Promise<Readonly<Record<string, () => Promise<unknown>>>> {
  const saved = async (variables: object) => {
    const page = { ...('last' in variables ? {} : { first: 10 }), ...variables };
    return (await ben.do(ask.CostSaved, page)).viewer.savedMessages.edges.length;
  };
  const idsOf = async (...names: string[]) => {
    const find = async (prefix: string) =>
      (await ben.do(SavedTags, { prefix, first: 1 })).viewer.savedTags.edges[0]?.node.id ?? '';
    return Promise.all(names.map(find));
  };
  const savedOf = async (variables: object) => {
    const { node } = await aki.do(ask.CostPublicSaved, { id: globalId(ben), ...variables });
    return node !== null && 'savedMessages' in node ? node.savedMessages.edges.length : 0;
  };
  const tagsOf = async (variables: object) =>
    5 * (await ben.do(ask.CostSavedTags, variables)).viewer.savedTags.edges.length;
  const exported = async () => {
    const options = { dynamo: app.dynamo, format: 'jsonl', origin: 'https://chat.example' } as const;
    const text = (await exportSaved(ben.id, { ...options, pageSize: 10 }))?.text();
    await text?.next();
    return String((await text?.next())?.value)
      .trimEnd()
      .split('\n').length;
  };
  const one = async (id: string) => ((await ben.do(ask.CostSavedMessage, { id })).node === null ? 0 : 10);
  const entry = (id: string) => encodeId('SavedMessage', savedId({ user: ben.id, ...messageKey(id) }));
  const marks = async () => {
    const { room } = await ben.do(ask.CostSavedMarksWithTags, { roomId });
    return room?.messages.edges.filter(({ node }) => node.viewerSaved !== null).length ?? 0;
  };
  const savers = async () => {
    const { node } = await aki.do(ask.CostPublicSaves, { id: last });
    return node !== null && 'publicSaves' in node ? 10 * node.publicSaves.edges.length : 0;
  };
  const saveCounts = async () =>
    (await aki.do(ask.CostPublicSaveCounts, { roomId })).room?.messages.edges.length ?? 0;
  const publicTags = async () => {
    const { node } = await aki.do(ask.CostPublicTags, { id: globalId(ben) });
    return node !== null && 'savedTags' in node ? 5 * node.savedTags.edges.length : 0;
  };

  const [common = ''] = await idsOf('common');
  const three = await idsOf(...TAGS);
  const gone = encodeId(
    'SavedMessage',
    savedId({ user: ben.id, room: 'gone', threadTs: FIRST_GONE, ts: FIRST_GONE }),
  );
  const requests: Readonly<Record<string, Read>> = {
    'a page of 10': () => saved({}),
    'a page of 10 public ones': () => saved({ visibility: 'PUBLIC' }),
    'a page of 10 private ones': () => saved({ visibility: 'PRIVATE' }),
    'the oldest 10': () => saved({ orderBy: 'SAVED_OLDEST' }),
    'a page of 10 by message': () => saved({ orderBy: 'MESSAGE_NEWEST' }),
    'the last 10 by message': () => saved({ orderBy: 'MESSAGE_NEWEST', last: 10 }),
    'a page of 10 without tags': () => saved({ untagged: true }),
    'a page of 10 private ones without tags': () => saved({ untagged: true, visibility: 'PRIVATE' }),
    'a page of 10 with a tag': () => saved({ tagIds: three.slice(0, 1) }),
    'a page of 10 with a tag that half of all have': () => saved({ tagIds: [common] }),
    'a page of 10 with a tag, by its name': () => saved({ tags: TAGS.slice(0, 1) }),
    'a page of 10 public ones with a tag': () => saved({ tagIds: three.slice(0, 1), visibility: 'PUBLIC' }),
    'a page of 10 with two tags': () => saved({ tagIds: three.slice(0, 2) }),
    'a page of 10 with three tags': () => saved({ tagIds: three }),
    "a page of 10 of another user's": () => savedOf({}),
    "a page of 10 of another user's with a tag": () => savedOf({ tag: TAGS[0] }),
    'the counts': async () => ((await ben.do(ask.CostSavedCounts)).viewer.savedCounts.total > 0 ? 10 : 0),
    'the marks and tags of 10 messages': marks,
    'one by its id': () => one(entry(last)),
    'one by its id, whose message is gone': () => one(gone),
    'who saved a message publicly': savers,
    'how many saved each of 10 messages publicly': saveCounts,
    'two tags with their counts': () => tagsOf({}),
    'two tags that begin with a letter': () => tagsOf({ prefix: 'T' }),
    'two tags by their counts': () => tagsOf({ orderBy: 'COUNT' }),
    "two public tags of another user's": publicTags,
    'a page of 10 of the file with everything': exported,
    '10 liked messages': async () => (await ben.do(CostLiked, {})).viewer.likedMessages.edges.length,
    '10 liked messages of one room': async () =>
      (await ben.do(CostLiked, { roomId })).viewer.likedMessages.edges.length,
    '10 reminders': async () => (await ben.do(ask.CostReminders)).viewer.reminders.edges.length,
    '10 scheduled messages': async () => (await ben.do(CostScheduled)).viewer.scheduledMessages.edges.length,
  };
  const checked = Object.entries(requests).map(([name, read]) => [
    name,
    async () => {
      const count = await read();
      if (count !== 10) throw new Error(`${name}: ${count} instead of 10`);
    },
  ]);
  return Object.fromEntries(checked);
}
