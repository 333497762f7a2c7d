/** What is in a digest, when it is sent, and that there is at most one in each interval. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EmailDigest } from '../../src/delivery/settings/settings.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { addressOf, openDigestScenario, partsOf } from './support/digestScenario.ts';
import { type MailServer, startMailServer } from './support/mailServer.ts';

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 24 * HOUR;
/** Summaries after quiet hours are spread over this time. */
const SPREAD = 60;

let server: MailServer;
beforeEach(async () => {
  server = await startMailServer({ startTls: false });
});
afterEach(() => server.stop());

const openScenario = (emailDigest?: EmailDigest) => openDigestScenario(server, emailDigest);

describe('what is unread after the interval is one mail', () => {
  test('of all kinds and rooms, worded then, with links and without texts of messages', async () => {
    const { aki, ben, chi, like, mention, other, room, pass, outcomes } = await openScenario();
    await mention(ben);
    await mention(chi, other);
    await like(ben);
    await like(chi);
    await pass(15 * MINUTE - 1);
    expect(server.mails).toEqual([]);
    await pass(2);
    expect(server.mails).toHaveLength(1);
    const [mail] = server.mails;
    expect(mail?.to).toEqual([addressOf(aki)]);
    expect(mail?.headers.get('subject')).toBe('3 new notifications');
    expect(new Set(partsOf(mail))).toEqual(
      new Set([
        'Lunch: Ben mentioned you',
        'Dinner: Chi mentioned you',
        'Lunch: Chi and Ben liked your message',
      ]),
    );
    expect(mail?.text).toContain(`https://chat.test/rooms/`);
    expect(mail?.html).toContain(`<a href="https://chat.test/rooms/`);
    expect(`${mail?.text}${mail?.html}`).not.toContain('secret');
    expect(mail?.html).not.toContain(room);
    await pass(DAY);
    expect(server.mails).toHaveLength(1);
    expect(await outcomes()).toEqual(['MENTION,LIKE: SENT']);
  });

  test.each([
    [
      'en',
      ['Dinner', 'Chi mentioned you'],
      ['Lunch', 'Chi stamped your message', 'Ben liked your message', 'Ben mentioned you'],
    ],
    [
      'ja',
      ['Dinner', 'Chiさんがあなたをメンションしました'],
      [
        'Lunch',
        'Chiさんがあなたのメッセージにスタンプを押しました',
        'Benさんがあなたのメッセージに「いいね」しました',
        'Benさんがあなたをメンションしました',
      ],
    ],
  ])('has one heading for each room: %s', async (locale, dinner, lunch) => {
    const { aki, ben, chi, like, mention, message, other, pass, services } = await openScenario();
    await services.users.update(aki.id, { locale });
    await mention(ben);
    await like(ben);
    await mention(chi, other);
    await services.stamps.add(chi.id, message, 'heart');
    await pass(15 * MINUTE);
    const [mail] = server.mails;
    const inText = (mail?.text ?? '').split('\n\n').slice(1, -2);
    expect(inText.map((part) => part.replaceAll(/\nhttps:.*/g, '').split('\n'))).toEqual([lunch, dinner]);
    // Each line has its own link below it.
    expect(inText.map((part) => part.match(/[^\n]+\nhttps:/g)?.length)).toEqual([3, 1]);
    const inHtml = (mail?.html ?? '').split('\n').filter((line) => line.startsWith('<p><strong>'));
    expect(inHtml.map((part) => part.split('<br>').map((line) => line.replace(/<[^>]*>/g, '')))).toEqual([
      lunch,
      dinner,
    ]);
  });

  test('has the headers of a mail that no person wrote', async () => {
    const { mention, ben, pass } = await openScenario();
    await mention(ben);
    await pass(15 * MINUTE);
    const headers = server.mails[0]?.headers;
    expect(headers?.get('subject')).toBe('Lunch: Ben mentioned you');
    expect(headers?.get('message-id')).toMatch(/^<[\w-]{43}@example\.com>$/);
    expect(headers?.get('auto-submitted')).toBe('auto-generated');
    expect(headers?.get('list-unsubscribe')).toMatch(/^<https:\/\/chat\.test\/unsubscribe\/[\w.-]+>$/);
    expect(headers?.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  });

  test('leaves colours to the mail program, which may have a dark canvas', async () => {
    const { ben, mention, pass } = await openScenario();
    await mention(ben);
    await pass(16 * MINUTE);
    const html = server.mails[0]?.html ?? '';
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    expect(html).not.toMatch(/style="[^"]*\b(color|background)/);
  });

  test('in the language of the person', async () => {
    const { aki, ben, mention, services, pass } = await openScenario('HOURLY');
    await services.users.update(aki.id, { locale: 'ja' });
    await mention(ben);
    await pass(HOUR);
    const [mail] = server.mails;
    expect(mail?.headers.get('subject')).toBe('Lunch: Benさんがあなたをメンションしました');
    expect(mail?.text).toContain('1時間に1回');
    expect(mail?.html).toContain('<html lang="ja">');
  });

  test('without what was read, deleted, muted or left, or is not wanted by e-mail', async () => {
    const { aki, ben, chi, like, mention, other, room, pass, reading, services, settings, outcomes, say } =
      await openScenario();
    const third = await services.rooms.create(ben.id, {
      name: 'Secret',
      topic: null,
      visibility: 'PUBLIC',
      capacity: null,
    });
    await services.rooms.join(aki.id, third.id);
    await mention(ben, third.id);
    await like(ben);
    const deleted = await mention(chi);
    await mention(ben, other);
    await services.messages.remove(chi.id, deleted);
    await services.rooms.leave(aki.id, third.id);
    await settings.setRoom(aki.id, other, 'NOTHING');
    await settings.change(aki.id, { kinds: new Map([['LIKE', { channels: ['WEB_PUSH'] }]]) });
    await pass(15 * MINUTE);
    expect(server.mails).toEqual([]);
    await settings.change(aki.id, { kinds: new Map([['MENTION', { mode: 'OFF' }]]) });
    await say(ben, `@${aki.handle} Again.`, room);
    await pass(DAY);
    expect(server.mails).toEqual([]);
    await settings.change(aki.id, { kinds: new Map([['MENTION', { mode: 'ON' }]]) });
    await say(ben, `@${aki.handle} And again.`, room);
    await pass(10);
    await reading.markAllRead(aki.id);
    await pass(DAY);
    expect(server.mails).toEqual([]);
    expect((await outcomes()).every((one) => !one.includes('SENT'))).toBe(true);
  });

  test('has direct messages', async () => {
    const { aki, ben, chi, services, say, pass } = await openScenario();
    const [withBen = '', withChi = ''] = await Promise.all(
      [ben, chi].map(async (other) => (await services.rooms.openDirect(other.id, [aki.id])).id),
    );
    await pass(30 * MINUTE);
    const before = server.mails.length;
    await say(ben, 'A secret.', withBen);
    await say(chi, 'Another one.', withChi);
    await services.readPositions.markRead(aki.id, withChi);
    await pass(HOUR);
    const mails = server.mails.slice(before);
    expect(mails.map(partsOf)).toEqual([[expect.stringMatching(/^Ben: Ben/)]]);
    expect(mails[0]?.text).not.toContain('secret');
  });

  test('if texts are hidden, it names neither people nor rooms', async () => {
    const { aki, ben, mention, settings, pass } = await openScenario();
    await settings.change(aki.id, { hideText: true });
    await mention(ben);
    await pass(15 * MINUTE);
    const [mail] = server.mails;
    expect(mail?.headers.get('subject')).toBe('New activity in Tsudoi');
    expect(`${mail?.text}${mail?.html}`).not.toMatch(/Ben|Lunch|rooms/);
  });

  test('names and titles cannot add headers, markup, lines or links', async () => {
    const { ben, room, mention, dynamo, pass } = await openScenario();
    const evil =
      'B\r\nBcc: eve@example.org\r\n\r\n<b onload="x">\u202e\u2028https://evil.example/ www.evil.example';
    await dynamo.update(keys.user(ben.id), {
      update: 'SET displayName = :name',
      values: { ':name': evil },
    });
    await dynamo.update(keys.room(room), {
      update: 'SET #name = :name',
      names: { '#name': 'name' },
      values: { ':name': `${evil} <script>` },
    });
    await mention(ben);
    await pass(15 * MINUTE);
    const [mail] = server.mails;
    expect(mail?.to).toHaveLength(1);
    expect(mail?.names.filter((name) => name === 'bcc' || name === 'to')).toEqual(['to']);
    expect(mail?.html).not.toMatch(/<b |<script/);
    for (const text of [mail?.text, mail?.html, mail?.headers.get('subject')]) {
      expect(text).not.toMatch(/evil\.example|eve@\w|https:\/\/evil|[\r\u2028\u202e]/);
    }
    expect(partsOf(mail)).toHaveLength(1);
  });
});

describe('at most one in each interval', () => {
  test.each([
    ['MINUTES_15', 15 * MINUTE],
    ['HOURLY', HOUR],
    ['DAILY', DAY],
  ] as const)('%s', async (digest, interval) => {
    const { ben, mention, pass } = await openScenario(digest);
    for (let i = 0; i < 12; i++) {
      await mention(ben);
      await pass(interval / 4);
    }
    // The first one after an interval, then one in each.
    expect(server.mails).toHaveLength(3);
    expect(partsOf(server.mails[1])).toEqual(['Lunch: Ben mentioned you']);
  });

  test('a shorter interval applies to what waits, and a longer one as well', async () => {
    const { aki, ben, mention, choose, pass, consume } = await openScenario('DAILY');
    await mention(ben);
    await pass(2 * HOUR);
    await choose(aki, 'MINUTES_15');
    await consume();
    await pass(1);
    expect(server.mails).toHaveLength(1);
    await mention(ben);
    await pass(MINUTE);
    await choose(aki, 'DAILY');
    await pass(DAY - 2 * MINUTE);
    expect(server.mails).toHaveLength(1);
    await pass(3 * MINUTE);
    expect(server.mails).toHaveLength(2);
  });

  test('people who want no more get none, also of what was gathered', async () => {
    const { aki, ben, mention, choose, pass, outcomes, dynamo, openTimers } = await openScenario();
    await mention(ben);
    await pass(MINUTE);
    await choose(aki, 'NEVER');
    await pass(DAY);
    expect(server.mails).toEqual([]);
    expect(await outcomes()).toEqual(['MENTION: SWITCHED_OFF']);
    await mention(ben);
    await pass(0);
    expect(await openTimers()).toEqual([]);
    expect(await dynamo.get(keys.deliverySettings(aki.id))).not.toHaveProperty('email');
  });

  test('quiet hours and a pause hold it back, and their end sends one', async () => {
    const { aki, ben, mention, settings, now, pass } = await openScenario();
    await mention(ben);
    await pass(MINUTE);
    await settings.pause(aki.id, now() + HOUR * 1_000, DAY * 1_000);
    await mention(ben);
    await pass(HOUR - 1);
    expect(server.mails).toEqual([]);
    await pass(SPREAD + 1);
    expect(server.mails).toHaveLength(1);
    await mention(ben);
    await settings.pause(aki.id, now() + 10 * DAY * 1_000, 20 * DAY * 1_000);
    await pass(DAY);
    await settings.pause(aki.id, null, DAY * 1_000);
    await pass(1);
    expect(server.mails).toHaveLength(2);
    await pass(DAY);
    expect(server.mails).toHaveLength(2);
  });
});

describe('the mail server', () => {
  test('an address that it does not know ends the digests, visibly', async () => {
    const { aki, ben, mention, settings, pass, outcomes, choose, dynamo } = await openScenario();
    server.reply('recipient', { code: 550, text: '5.1.1 no such user' });
    await mention(ben);
    await pass(15 * MINUTE);
    expect(await outcomes()).toEqual(['MENTION: FAILED']);
    expect(await settings.read(aki.id)).toMatchObject({
      email: null,
      emailDigest: 'NEVER',
      emailRefusedAt: expect.any(Number),
    });
    expect(await dynamo.get(keys.badge(aki.id))).toMatchObject({ digest: false });
    const attempts = server.attempts();
    await mention(ben);
    await pass(DAY);
    expect(server.attempts()).toBe(attempts);
    server.reply('recipient', 'ok');
    await choose(aki, 'HOURLY');
    expect((await settings.read(aki.id)).emailRefusedAt).toBeNull();
    await mention(ben);
    await pass(HOUR);
    expect(server.mails).toHaveLength(1);
  });

  test('if it fails, the mail is tried for a day, and until it arrived there is no second one', async () => {
    const { ben, mention, pass, outcomes } = await openScenario();
    server.reply('recipient', { code: 451, text: '4.3.0 later' });
    for (let i = 0; i < 12; i++) {
      await mention(ben);
      await pass(30 * MINUTE);
    }
    expect(server.attempts()).toBeGreaterThan(5);
    expect(await outcomes()).toEqual(['MENTION: PENDING']);
    server.reply('recipient', 'ok');
    for (let i = 0; i < 12 && server.mails.length === 0; i++) await pass(5 * MINUTE);
    await pass(10 * MINUTE - 1);
    expect(server.mails).toHaveLength(1);
    // What came meanwhile.
    await pass(20 * MINUTE);
    expect(server.mails).toHaveLength(2);
    await pass(DAY);
    expect(server.mails).toHaveLength(2);
  });

  test('after a day it is given up', async () => {
    const { ben, mention, pass, outcomes } = await openScenario();
    server.reply('connect', { code: 421, text: 'busy' });
    await mention(ben);
    await pass(DAY + 2 * HOUR);
    expect(await outcomes()).toEqual(['MENTION: FAILED']);
    const attempts = server.attempts();
    await pass(DAY);
    expect(server.attempts()).toBe(attempts);
  });

  test('a process that dies after the mail was accepted: the second one has the same id', async () => {
    const { ben, mention, pass } = await openScenario();
    // It accepted the mail, and the connection was lost before it could say so.
    server.reply('data', 'close');
    await mention(ben);
    await pass(15 * MINUTE);
    server.reply('data', 'ok');
    await pass(MINUTE);
    expect(server.mails.length).toBeGreaterThan(1);
    expect(new Set(server.mails.map(({ headers }) => headers.get('message-id'))).size).toBe(1);
  });
});
