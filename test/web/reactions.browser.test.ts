import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/core/defined.ts';
import { keys } from '../../src/dynamo/keys.ts';
import type { Message } from '../../src/messages/message.ts';
import { browserAvailable } from '../support/clients/browser.ts';
import { useBrowser } from '../support/clients/windows.ts';
import type { TestApp } from '../support/servers/app.ts';
import { message, open, roomLink, startWeb } from './support/pages.ts';
import { answered, delay, held, refuse } from './support/requests.ts';

describe.skipIf(!browserAvailable)('web, likes, stamps and following', () => {
  const browser = useBrowser();
  let app: TestApp;
  let room: string;
  const id = (handle: string) => app.services.users.idOf(handle);
  const as = (handle: string) => open({ browser: browser(), url: app.url, as: handle });
  const say = (author: string, body: string, replyTo?: Message) =>
    app.services.messages.send({
      room,
      author: id(author),
      body,
      ...defined({ replyTo }),
    });

  beforeAll(async () => {
    app = await startWeb();
    const made = { name: 'Harbour', topic: null, visibility: 'PUBLIC', capacity: null } as const;
    room = (await app.services.rooms.create(id('aki'), made)).id;
    for (const other of ['ben', 'chie']) await app.services.rooms.join(id(other), room);
  });
  afterAll(() => app?.stop());

  it('like tooltip: names the current likers on hover and on focus', async () => {
    const sent = await say('aki', 'The ferry is in.');
    await app.services.likes.add(id('ben'), sent);
    const { page, openRoom, complaints } = await as('aki');
    await openRoom('Harbour');
    const likes = message(page, 'ferry').getByRole('button', { name: '1 like', exact: true });
    const tip = page.getByRole('tooltip');
    await likes.hover();
    await tip.getByText('Liked by Ben Okafor').waitFor();
    await app.services.likes.add(id('chie'), sent);
    await tip.getByText('Liked by Chie Mori, Ben Okafor').waitFor();
    await page.mouse.move(0, 0);
    await tip.waitFor({ state: 'detached' });

    const both = message(page, 'ferry').getByRole('button', { name: '2 likes', exact: true });
    await both.focus();
    await tip.getByText('Liked by Chie Mori, Ben Okafor').waitFor();
    // The button itself informs screen readers.
    expect(await both.getAttribute('aria-describedby')).toBe(await tip.getAttribute('id'));
    await page.keyboard.press('Escape');
    await tip.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('likes and stamps: appear at once, and are reverted if the server refuses them', async () => {
    await say('ben', 'Fog over the pier.');
    const { page, openRoom, complaints } = await as('aki');
    await openRoom('Harbour');
    const sent = message(page, 'Fog over');
    const own = sent.getByRole('button', { name: /1 like, including yours/ });
    const likes = sent.getByRole('button', { name: '1 like', exact: true });
    await sent.focus();

    const answer = held();
    let allow = await refuse(page, 'LikeMessage', { code: 'UNAVAILABLE', before: answer.promise });
    await sent.press('l');
    await own.waitFor();
    answer.letGo();
    await own.waitFor({ state: 'detached' });
    await page.getByText('The server can’t do this right now.').waitFor();
    await allow();
    await sent.press('l');
    await own.waitFor();
    // There is none yet, so it is not another one.
    await sent.getByRole('list').getByRole('button', { name: 'Add a stamp' }).waitFor();
    allow = await refuse(page, 'UnlikeMessage', { code: 'FORBIDDEN' });
    await own.click();
    await page.getByText('You don’t have permission to do this here.').waitFor();
    await own.waitFor();
    await allow();
    await own.click();
    await own.waitFor({ state: 'detached' });
    expect(await likes.count()).toBe(0);

    const stamp = sent.getByRole('button', { name: /1 person, including you/ });
    const later = held();
    allow = await refuse(page, 'AddStamp', { code: 'UNAVAILABLE', before: later.promise });
    await sent.focus();
    // Its script may still be loading.
    await sent.getByRole('button', { name: 'Add a stamp' }).waitFor();
    await sent.press('s');
    await page.getByRole('searchbox').fill('heart');
    await page.keyboard.press('Enter');
    await stamp.waitFor();
    later.letGo();
    await stamp.waitFor({ state: 'detached' });
    await allow();
    expect(complaints).toEqual([]);
  });

  it('likes and stamps: of one device are the viewer’s own on another one, and appear as another user’s there', async () => {
    await say('ben', 'Low tide at noon.');
    const [one, other, others] = [await as('aki'), await as('aki'), await as('chie')];
    for (const { openRoom } of [one, other, others]) await openRoom('Harbour');
    // Nothing is left that its like could be combined with.
    await app.quiet();
    const [here, there, elsewhere] = [one, other, others].map(({ page }) => message(page, 'Low tide'));
    if (here === undefined || there === undefined || elsewhere === undefined) throw new Error('No page.');
    const own = { name: /1 like, including yours/ };
    const answer = answered(one.page, 'LikeMessage');
    await here.focus();
    await here.press('l');
    await answer;
    await there.getByRole('button', own).waitFor();
    await elsewhere.getByRole('button', { name: '1 like', exact: true }).waitFor();

    await there.getByRole('button', own).click();
    await there.getByRole('button', own).waitFor({ state: 'detached' });
    await here.getByRole('button', own).waitFor({ state: 'detached' });

    await here.focus();
    await here.press('s');
    await one.page.getByRole('searchbox').fill('heart');
    await one.page.keyboard.press('Enter');
    await there.getByRole('button', { name: /1 person, including you/ }).waitFor();
    await elsewhere.getByRole('button', { name: /1 person/ }).waitFor();
    expect(await elsewhere.getByRole('button', { name: /including you/ }).count()).toBe(0);
    for (const { complaints } of [one, other, others]) expect(complaints).toEqual([]);
  });

  it('likes: of another device are the viewer’s own after many changes that were combined', async () => {
    const sent = await say('ben', 'Two boats at the quay.');
    const { page, openRoom, complaints } = await as('aki');
    await openRoom('Harbour');
    await message(page, 'Two boats').waitFor();
    await app.quiet();
    // At the same moment, so their events are combined, or arrive when the message has changed again.
    await Promise.all(['aki', 'ben', 'chie'].map((handle) => app.services.likes.add(id(handle), sent)));
    for (const handle of ['ben', 'chie']) await app.services.likes.remove(id(handle), sent);
    await message(page, 'Two boats')
      .getByRole('button', { name: /1 like, including yours/ })
      .waitFor();
    expect(complaints).toEqual([]);
  });

  it('stamps: have labels in the viewer’s language', async () => {
    const seen = await say('ben', 'The harbour at dawn.');
    await app.services.stamps.add(id('ben'), seen, 'fuji');
    const { page, complaints } = await open({
      browser: browser(),
      url: app.url,
      as: 'aki',
      fresh: { locale: 'ja-JP' },
    });
    await roomLink(page, 'Harbour').click();
    const sent = message(page, 'dawn');
    const fuji = sent.getByRole('button', { name: '富士山、1 人', exact: true });
    await fuji.hover();
    await page
      .getByRole('tooltip')
      .getByText(/^富士山：Ben Okafor, \S/)
      .waitFor();
    await sent.getByRole('button', { name: 'スタンプを押す' }).click();
    await page.getByRole('searchbox').fill('桜');
    await page.getByRole('img', { name: '桜' }).waitFor();
    await page.getByTitle('桜', { exact: true }).first().click();
    await sent.getByRole('button', { name: '桜、1 人（あなたを含む）' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('like and follow: an immediate undo reaches the server after the first request', async () => {
    const root = await say('ben', 'Gulls on the roof.');
    await say('chie', 'Many.', root);
    const { page, openRoom, complaints } = await as('aki');
    await openRoom('Harbour');
    const sent = message(page, 'Gulls');
    const first = held();
    for (const operation of ['LikeMessage', 'FollowThread']) await delay(page, operation, first.promise);
    const answers = ['LikeMessage', 'UnlikeMessage', 'FollowThread', 'UnfollowThread'].map((operation) =>
      answered(page, operation),
    );

    const own = sent.getByRole('button', { name: /1 like, including yours/ });
    await sent.press('l');
    await own.waitFor();
    await sent.press('l');
    await own.waitFor({ state: 'detached' });
    await sent.press('t');
    const thread = page.getByRole('complementary', { name: 'Thread' });
    const follow = (pressed: boolean) => thread.getByRole('button', { name: 'Follow', pressed });
    await follow(false).click();
    await follow(true).click();
    await follow(false).waitFor();
    first.letGo();
    await Promise.all(answers);

    const [now, following] = await app.dynamo.batchGet([
      keys.root(room, root.threadTs),
      keys.follow(room, root.threadTs, id('aki')),
    ]);
    expect(now?.likeCount ?? 0).toBe(0);
    expect(following?.following).toBe(false);
    expect(complaints).toEqual([]);
  });

  it('follow button: follows and unfollows at once, and shows the server’s state', async () => {
    const root = await say('ben', 'Who mends the nets?');
    await say('chie', 'Not me.', root);
    const { page, openRoom, complaints } = await as('aki');
    await openRoom('Harbour');
    await message(page, 'nets').getByText('1 reply').click();
    const thread = page.getByRole('complementary', { name: 'Thread' });
    const follow = (pressed: boolean) => thread.getByRole('button', { name: 'Follow', pressed });
    await follow(false).waitFor();

    const answer = held();
    const allow = await refuse(page, 'FollowThread', { code: 'UNAVAILABLE', before: answer.promise });
    await follow(false).click();
    await follow(true).waitFor();
    answer.letGo();
    await follow(false).waitFor();
    await allow();
    await follow(false).click();
    await follow(true).getByText('Following').waitFor();
    const unfollowed = answered(page, 'UnfollowThread');
    await follow(true).click();
    await unfollowed;
    await follow(false).waitFor();

    // A reply follows the thread.
    await thread.getByRole('textbox').fill('I could.');
    await thread.getByRole('textbox').press('Enter');
    await follow(true).waitFor();
    await page.keyboard.press('Escape');
    await thread.waitFor({ state: 'detached' });
    // The server stores this a moment after the reply.
    await app.quiet();
    await message(page, 'nets').getByText('2 replies').click();
    await follow(true).waitFor();
    expect(complaints).toEqual([]);
  });
});
