import { describe, expect, it } from 'vitest';
import { emojiRows } from '../../../web/build/emojiData.ts';
import { type EmojiRow, emojiOf, TONES, withTone } from '../../../web/src/emoji/emoji.ts';
import { withoutCodes } from '../../../web/src/emoji/replaceCodes.ts';
import { withEmoji } from '../../../web/src/emoji/withEmoji.ts';
import { createTestClock } from '../../support/time/clock.ts';
import { held } from '../support/requests.ts';

const all = (emojiRows() as unknown as EmojiRow[]).map(emojiOf);
const replaced = (body: string) => withoutCodes(body, all, 0);

describe('web emoji, codes in a message', () => {
  it.each([
    [':tada: and :TADA::otter:, 祝:tada:', '🎉 and 🎉🦦, 祝🎉'],
    [
      '**:tada:**\n- :otter:\n> :tada: [:otter:](https://tsudoi.example/)',
      '**🎉**\n- 🦦\n> 🎉 [🦦](https://tsudoi.example/)',
    ],
    // Of two emoji with this code, the one that completes it while a user types.
    [':cat:', '🐱'],
  ])('withoutCodes: replaces %j', (body, wanted) => {
    expect(replaced(body)).toBe(wanted);
  });

  it.each([
    'at 10:30:45, :no such:, :nosuchcode:tada:, x:tada:, a::tada:, \\:tada:',
    'in `x :tada:`, ``a ` :tada:``, and again `:tada:`',
    'before\n```yaml\nkey: :tada:\n```',
    '> ```\n> :tada:\n',
    '- a\n  ```\n  :tada:\n  ```',
    'https://tsudoi.example/?q=:tada: [text](https://tsudoi.example/(:tada:)) [text](<https://tsudoi.example/a :tada:>)',
  ])('withoutCodes: keeps %j', (body) => {
    expect(replaced(body)).toBe(body);
  });

  it('withoutCodes: distinguishes the same code in text and in code, among many', () => {
    const lines = (text: string) =>
      Array.from({ length: 12 }, (_, i) => `${i} ${text} \`:tada:\``).join('\n');
    expect(replaced(lines(':tada:'))).toBe(lines('🎉'));
  });

  it('withoutCodes: takes the skin tone, and no text becomes longer', () => {
    expect(withoutCodes(':wave: :tada:', all, 3)).toBe('👋🏽 🎉');
    for (const emoji of all) {
      const longest = Math.max(...TONES.map((tone) => [...withTone(emoji, tone)].length));
      for (const code of emoji.codes.filter(({ length }) => length > 1))
        expect(longest, code).toBeLessThanOrEqual(code.length + 2);
    }
  });

  it('withEmoji: waits for the data for 2.5 s, and then sends the text as it is', async () => {
    const clock = createTestClock();
    const gate = held();
    const late = async (body: string) => {
      await gate.promise;
      return replaced(body);
    };
    const results: string[] = [];
    const first = withEmoji(':tada:', { replace: late, clock }).then((text) => results.push(text));
    clock.advance(2_499);
    await Promise.resolve();
    expect(results).toEqual([]);
    clock.advance(1);
    await first;
    expect(results).toEqual([':tada:']);
    const second = withEmoji(':tada:', { replace: late, clock });
    gate.letGo();
    expect(await second).toBe('🎉');
    expect(clock.waiting).toBe(0);
  });

  it('withEmoji: sends the text as it is if the data is missing, and loads none for a text without codes', async () => {
    const clock = createTestClock();
    const missing = async () => {
      throw new Error('404');
    };
    expect(await withEmoji(':tada:', { replace: missing, clock })).toBe(':tada:');
    const none = async () => 'loaded';
    expect(await withEmoji('at 10:30:45', { replace: none, clock })).toBe('at 10:30:45');
    expect(clock.waiting).toBe(0);
  });
});
