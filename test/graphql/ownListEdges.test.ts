/** What a mutation adds to one of the viewer's own lists is in its payload as the edge that the list has. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PushService, startPushService } from '../delivery/support/pushService.ts';
import { graphql } from '../generated/gql.ts';
import { people, roomOf, say } from '../support/clients/people.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { eventually } from '../support/time/eventually.ts';

const Save = graphql(`
  mutation OwnEdgeSaved($input: SaveMessageInput!) {
    saveMessage(input: $input) {
      savedMessageEdge { cursor node { id } }
      reminderEdge { cursor node { id remindAt } }
    }
  }
`);
const Snooze = graphql(`
  mutation OwnEdgeSnoozed($input: SnoozeReminderInput!) {
    snoozeReminder(input: $input) { reminderEdge { cursor node { id remindAt } } }
  }
`);
const Schedule = graphql(`
  mutation OwnEdgeScheduled($input: ScheduleMessageInput!) {
    scheduleMessage(input: $input) { scheduledMessageEdge { cursor node { id } } }
  }
`);
const Like = graphql(`
  mutation OwnEdgeLiked($messageId: ID!) {
    likeMessage(input: { messageId: $messageId }) { likedMessageEdge { cursor node { id } } }
  }
`);
const Follow = graphql(`
  mutation OwnEdgeFollowed($messageId: ID!) {
    followThread(input: { messageId: $messageId }) {
      threadEdge { cursor node { root { id } replies { id } viewerIsFollowing } }
    }
  }
`);
const Join = graphql(`
  mutation OwnEdgeJoined($input: JoinRoomInput!) {
    joinRoom(input: $input) { membershipEdge { cursor } waitlistEdge { cursor position since node { id } } }
  }
`);
const Invite = graphql(`
  mutation OwnEdgeInvite($roomId: ID!) { createInvite(input: { roomId: $roomId }) { code } }
`);
const Accept = graphql(`
  mutation OwnEdgeAccepted($code: String!) {
    joinWithInvite(input: { code: $code, waitlist: true }) {
      waitlistEdge { cursor position since node { id } }
    }
  }
`);
const Publish = graphql(`
  mutation OwnEdgePublished($input: SetVisibilityOfTaggedInput!) {
    setVisibilityOfTagged(input: $input) { jobEdge { cursor node { id kind } } }
  }
`);
const Rename = graphql(`
  mutation OwnEdgeRenamed($input: RenameSavedTagInput!) {
    renameSavedTag(input: $input) { tag { id } jobEdge { cursor node { id kind } } }
  }
`);
const Merge = graphql(`
  mutation OwnEdgeMerged($input: MergeSavedTagsInput!) {
    mergeSavedTags(input: $input) { jobEdge { cursor node { id kind } } }
  }
`);
const Delete = graphql(`
  mutation OwnEdgeDeleted($input: DeleteSavedTagInput!) {
    deleteSavedTag(input: $input) { jobEdge { cursor node { id kind } } }
  }
`);
const Register = graphql(`
  mutation OwnEdgeBrowser($input: RegisterPushSubscriptionInput!) {
    registerPushSubscription(input: $input) { pushSubscription { id } }
  }
`);
const Try = graphql(`
  mutation OwnEdgeDelivery { testDelivery(input: { channel: WEB_PUSH }) { deliveryEdge { cursor node { id } } } }
`);
const Lists = graphql(`
  query OwnEdgeLists {
    viewer {
      savedMessages { edges { cursor node { id } } }
      reminders { edges { cursor node { id remindAt } } }
      scheduledMessages { edges { cursor node { id } } }
      likedMessages { edges { cursor node { id } } }
      threads { edges { cursor node { root { id } replies { id } viewerIsFollowing } } }
      waitlists { edges { cursor position since node { id } } }
      jobs { edges { cursor node { id kind } } }
      deliveries { edges { cursor node { id } } }
      savedTags { edges { node { id name } } }
    }
  }
`);

let app: TestApp;
let service: PushService;
beforeAll(async () => {
  service = await startPushService();
  app = await startTestApp({ config: { pushOrigins: [service.origin] } });
});
afterAll(async () => {
  await app?.stop();
  await service?.stop();
});

test("payloads: the edges of messages are those of the viewer's lists, also if they were in them", async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  const { id: messageId } = await say(aki, roomId, 'root');
  const save = async (note: string) =>
    (await ben.do(Save, { input: { messageId, note } })).saveMessage.savedMessageEdge;
  const like = async () => (await ben.do(Like, { messageId })).likeMessage.likedMessageEdge;
  const [saved, liked] = [await save('note'), await like()];
  // Another note does not move it.
  expect([await save('another note'), await like()]).toEqual([saved, liked]);
  const sendAt = new Date(Date.now() + 3_600_000).toISOString();
  const { scheduledMessageEdge } = (await ben.do(Schedule, { input: { roomId, body: 'later', sendAt } }))
    .scheduleMessage;
  // The index lags.
  await eventually(async () => {
    const { viewer } = await ben.do(Lists);
    expect(viewer.savedMessages.edges).toEqual([saved]);
    expect(viewer.likedMessages.edges).toEqual([liked]);
    expect(viewer.scheduledMessages.edges).toEqual([scheduledMessageEdge]);
  });
});

test('payloads: a reminder has the edge of the list of reminders, and another one when it is moved', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  const { id: messageId } = await say(aki, roomId, 'root');
  const later = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const save = async (remindAt: string | null) =>
    (await ben.do(Save, { input: { messageId, remindAt } })).saveMessage;
  const listed = async () => (await ben.do(Lists)).viewer.reminders.edges;
  const { reminderEdge: first, savedMessageEdge } = await save(later(1));
  expect(await listed()).toEqual([first]);
  const input = { savedMessageId: savedMessageEdge.node.id, remindAt: later(2) };
  const { reminderEdge: moved } = (await ben.do(Snooze, { input })).snoozeReminder;
  expect(moved?.node.remindAt).toBe(input.remindAt);
  expect(await listed()).toEqual([moved]);
  expect((await save(null)).reminderEdge).toBeNull();
  expect(await listed()).toEqual([]);
});

test('payloads: a thread has an edge as soon as it is in the list of those that the viewer follows', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  const { id: messageId } = await say(aki, roomId, 'root');
  const follow = async () => (await ben.do(Follow, { messageId })).followThread.threadEdge;
  expect(await follow()).toBeNull();
  await say(aki, roomId, 'first', messageId);
  const { id: newest } = await say(aki, roomId, 'second', messageId);
  const followed = await follow();
  expect(followed?.node.replies.at(-1)?.id).toBe(newest);
  await eventually(async () => {
    expect((await ben.do(Lists)).viewer.threads.edges).toEqual([followed]);
  });
});

test('payloads: a user who waits for a seat has the edge of their waitlists, and one who got it has none', async () => {
  const [aki, ben, chi] = await people(app, 3);
  const [full, secret, open] = [
    await roomOf(aki, [], { capacity: 1 }),
    await roomOf(aki, [], { capacity: 1, visibility: 'PRIVATE' }),
    await roomOf(aki),
  ];
  await chi.do(Join, { input: { roomId: full, waitlist: true } });
  const join = async (roomId: string) => (await ben.do(Join, { input: { roomId, waitlist: true } })).joinRoom;
  const { membershipEdge, waitlistEdge: waiting } = await join(full);
  expect(membershipEdge).toBeNull();
  expect(waiting?.position).toBe(2);
  expect((await join(full)).waitlistEdge).toEqual(waiting);
  const { code } = (await aki.do(Invite, { roomId: secret })).createInvite;
  const { waitlistEdge: invited } = (await ben.do(Accept, { code })).joinWithInvite;
  expect((await ben.do(Lists)).viewer.waitlists.edges).toEqual([waiting, invited]);
  expect((await join(open)).waitlistEdge).toBeNull();
});

test('payloads: what the viewer begins has the edge of their jobs, and a renamed tag has none', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  const { id: messageId } = await say(aki, roomId, 'root');
  await ben.do(Save, { input: { messageId, tags: ['one', 'two', 'three', 'four'] } });
  const { edges: tags } = (await ben.do(Lists)).viewer.savedTags;
  const tag = (name: string) => tags.find(({ node }) => node.name === name)?.node.id ?? '';
  const rename = async (name: string) =>
    (await ben.do(Rename, { input: { tagId: tag('one'), name } })).renameSavedTag.jobEdge;
  expect(await rename('new')).toBeNull();
  const expected = [
    (await ben.do(Publish, { input: { tagId: tag('two'), visibility: 'PUBLIC', expectedCount: 1 } }))
      .setVisibilityOfTagged.jobEdge,
    await rename('two'),
    (await ben.do(Merge, { input: { fromTagId: tag('two'), intoTagId: tag('three') } })).mergeSavedTags
      .jobEdge,
    (await ben.do(Delete, { input: { tagId: tag('four') } })).deleteSavedTag.jobEdge,
  ];
  expect((await ben.do(Lists)).viewer.jobs.edges).toEqual(expected.reverse());
});

test('payloads: a test of deliveries has the edge of their list', async () => {
  const [aki] = await people(app, 1);
  await aki.do(Register, { input: { ...service.subscribe(), label: 'A laptop' } });
  const { deliveryEdge } = (await aki.do(Try)).testDelivery;
  expect((await aki.do(Lists)).viewer.deliveries.edges).toEqual([deliveryEdge]);
});
