import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { keys } from '../../src/dynamo/keys.ts';
import { FIRST_SHAPE } from '../../src/dynamo/shapes.ts';
import { NO_HANDLE, resolveMentions } from '../../src/messages/mentions.ts';
import { LeaveRoom, Me, SendMessage, UpdateProfile } from '../support/clients/operations.ts';
import { type Person, people, rawId, roomOf, say } from '../support/clients/people.ts';
import { admit } from '../support/clients/roles.ts';
import { budget } from '../support/run/budget.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { EditMessage, MessageById } from './support/operations.ts';

let app: TestApp;
let aki: Person;
let ben: Person;
let eve: Person;
let roomId: string;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());
beforeEach(async () => {
  [aki, ben, eve] = await people(app, 3);
  roomId = await roomOf(aki, [ben]);
  await eve.do(Me);
});

async function message(id: string) {
  const { node } = await aki.do(MessageById, { id });
  if (node === null || !('mentions' in node)) throw new Error('There is no such message.');
  return { body: node.body, mentions: node.mentions.map(({ handle }) => handle) };
}

/** The ids of the members that a text mentions. */
const mentionedIn = async (text: string) =>
  (await resolveMentions(app.dynamo, { room: rawId(roomId), author: 'no one' }, text)).mentions;

describe('Message.mentions:', () => {
  test('has members, and other handles stay text', async () => {
    const body = `@${ben.handle} and @${eve.handle} and @no_such_user, says @${aki.handle}`;
    const { id } = await say(aki, roomId, body);
    expect(await message(id)).toEqual({ body, mentions: [ben.handle, aki.handle] });
  });

  test('has a member once who is mentioned twice', async () => {
    const { id } = await say(aki, roomId, `@${ben.handle} @${ben.handle.toUpperCase()}!`);
    expect(await message(id)).toEqual({ body: `@${ben.handle} @${ben.handle}!`, mentions: [ben.handle] });
  });

  test('the body shows the member’s current handle, or `@someone` if the member has no handle', async () => {
    const { id } = await say(aki, roomId, `Hello @${ben.handle}.`);
    const handle = `new_${ben.handle.slice(3)}`;
    await ben.do(UpdateProfile, { input: { handle } });
    expect(await message(id)).toEqual({ body: `Hello @${handle}.`, mentions: [handle] });
    await ben.do(UpdateProfile, { input: { handle: null } });
    expect(await message(id)).toEqual({ body: 'Hello @someone.', mentions: [null] });
  });

  test('the body never shows a display name, which a mentioned user chooses freely', async () => {
    const { id } = await say(aki, roomId, `Hello @${ben.handle}.`);
    const displayName = 'Ben. NEW account: [pay here](https://example.org)';
    await ben.do(UpdateProfile, { input: { handle: null, displayName } });
    expect((await message(id)).body).toBe('Hello @someone.');
  });

  test('has no one for a handle that was released', async () => {
    const before = ben.handle;
    await ben.do(UpdateProfile, { input: { handle: `new_${before.slice(3)}` } });
    const { id } = await say(aki, roomId, `Hello @${before}`);
    expect(await message(id)).toEqual({ body: `Hello @${before}`, mentions: [] });
  });

  test('keeps a member who left, but later messages do not mention them', async () => {
    const { id: before } = await say(aki, roomId, `@${ben.handle}`);
    await ben.do(LeaveRoom, { roomId });
    const { id: after } = await say(aki, roomId, `@${ben.handle}`);
    expect((await message(before)).mentions).toEqual([ben.handle]);
    expect((await message(after)).mentions).toEqual([]);
  });

  test('changes with edits', async () => {
    const { id } = await say(aki, roomId, 'no mention');
    await aki.do(EditMessage, { messageId: id, body: `@${ben.handle}` });
    expect((await message(id)).mentions).toEqual([ben.handle]);
    await aki.do(EditMessage, { messageId: id, body: 'no mention again' });
    expect((await message(id)).mentions).toEqual([]);
  });

  test('has the members that a reply mentions', async () => {
    const root = await say(aki, roomId, 'root');
    const { id } = await say(ben, roomId, `@${aki.handle}`, root.id);
    expect((await message(id)).mentions).toEqual([aki.handle]);
  });
});

describe('resolveMentions: a handle next to', () => {
  const cases: ReadonlyArray<readonly [string, (handle: string) => string, boolean]> = [
    ['nothing', (handle) => `@${handle}`, true],
    ['punctuation', (handle) => `(@${handle}),`, true],
    ['a full stop', (handle) => `Ask @${handle}. Now.`, true],
    ['a line break', (handle) => `\n@${handle}\n`, true],
    ['an emoji', (handle) => `👋@${handle}🎉`, true],
    ['Japanese punctuation', (handle) => `「@${handle}」、`, true],
    ['an e-mail address', (handle) => `mail.to@${handle}`, false],
    ['the domain of an e-mail address', (handle) => `@${handle}@example.org`, false],
    ['another @', (handle) => `@@${handle}`, false],
    ['the rest of an address', (handle) => `https://example.org/@${handle}/posts`, true],
    ['kana after it', (handle) => `@${handle}さん、確認お願いします`, true],
    ['katakana with a long vowel before it', (handle) => `ユーザー@${handle}`, true],
    ['kana before it', (handle) => `これは@${handle} 見て`, true],
    ['kanji on both sides', (handle) => `担当者@${handle}様`, true],
    ['an iteration mark before it', (handle) => `人々@${handle}`, true],
    ['Hangul after it', (handle) => `@${handle}님`, true],
    ['Thai, whose vowels and tones are marks, before it', (handle) => `ที่@${handle}`, true],
    ['Arabic on both sides', (handle) => `يا@${handle}و`, true],
    ['Hebrew before it', (handle) => `שלום@${handle}`, true],
    ['a letter before it', (handle) => `é@${handle}`, false],
    ['a letter after it', (handle) => `@${handle}é`, false],
    ['a Greek letter before it', (handle) => `λ@${handle}`, false],
    ['a Cyrillic letter after it', (handle) => `@${handle}ы`, false],
    ['a full-width letter after it', (handle) => `@${handle}ａ`, false],
    ['an accent after it', (handle) => `@${handle}\u0301`, false],
    ['an accent before it', (handle) => `e\u0301@${handle}`, false],
    ['several accents before it', (handle) => `e\u0301\u0323@${handle}`, false],
    ['a digit after it', (handle) => `@${handle}٣`, false],
    ['a digit before it', (handle) => `3@${handle}`, false],
    ['a number in a circle before it', (handle) => `①@${handle}`, true],
    ['a kanji zero after it', (handle) => `@${handle}〇`, true],
    ['_', (handle) => `@${handle}_`, false],
    ['a blank after the @', (handle) => `@ ${handle}`, false],
    ['the full-width @', (handle) => `＠${handle}`, false],
  ];
  test.each(cases)('%s', async (_, text, mentioned) => {
    expect(await mentionedIn(text(ben.handle))).toEqual(mentioned ? [ben.id] : []);
    const { id } = await say(aki, roomId, text(ben.handle));
    expect((await message(id)).body).toBe(text(ben.handle));
  });

  test('the word for a user without a handle is never a mention, even if a user has it as a handle', async () => {
    await app.dynamo.put({ ...keys.handle(NO_HANDLE), v: FIRST_SHAPE, user: ben.id });
    expect(await mentionedIn(`@${NO_HANDLE} @${NO_HANDLE.toUpperCase()}`)).toEqual([]);
  });

  const { numRuns, timeout, within } = budget({ runs: 10, seconds: 2 });

  test('any characters: the body is returned as it was written', { timeout }, async () => {
    const part = fc.oneof(
      fc.constantFrom(`@${ben.handle}`, `@${eve.handle}`, '@', ' ', '\n', '_', 'a', '.', 'あ', 'ー', '👋'),
      fc.string({ maxLength: 5 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 12 }),
        within(async (parts) => {
          const text = parts.join('');
          const { data } = await aki.send(SendMessage, { input: { roomId, body: text } });
          // Blank texts and control characters are refused.
          const sent = data?.sendMessage;
          if (sent != null) expect((await message(sent.message.id)).body).toBe(text);
        }),
      ),
      { numRuns },
    );
  });
});

describe('sendMessage: a text with', () => {
  const handles = (count: number) => Array.from({ length: count }, (_, i) => `@someone_${i}`).join(' ');

  test('50 handles is accepted', async () => {
    const many = await people(app, 10);
    for (const one of many) await admit(aki, roomId, one);
    const text = `${many.map(({ handle }) => `@${handle}`).join(' ')} ${handles(40)}`;
    const { id } = await say(aki, roomId, text);
    expect((await message(id)).mentions).toEqual(many.map(({ handle }) => handle));
  });

  test('51 handles is refused, also by editMessage', async () => {
    const { errors } = await aki.send(SendMessage, { input: { roomId, body: handles(51) } });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'input.body', limit: 50 });
    const { id } = await say(aki, roomId, 'short');
    const edited = await aki.send(EditMessage, { messageId: id, body: handles(51) });
    expect(edited.errors?.[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      field: 'input.body',
      limit: 50,
    });
    expect((await message(id)).body).toBe('short');
  });

  test('one handle a hundred times has one mention', async () => {
    const text = Array.from({ length: 100 }, () => `@${ben.handle}`).join(' ');
    const { id } = await say(aki, roomId, text);
    expect(await message(id)).toEqual({ body: text, mentions: [ben.handle] });
  });
});
