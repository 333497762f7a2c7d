import { describe, expect, it } from 'vitest';
import { emojiOf as emojiOnServer } from '../../../src/reactions/stamps/emoji.ts';
import { emojiRows } from '../../../web/build/emojiData.ts';
import { type EmojiRow, emojiOf, searchEmoji, TONES, withTone } from '../../../web/src/emoji/emoji.ts';

const all = (emojiRows() as unknown as EmojiRow[]).map(emojiOf);
const found = (text: string) => searchEmoji(all, text, 5).map(({ character }) => character);

describe('web emoji', () => {
  it('emoji: are known to the server as the same characters, with every skin tone', () => {
    expect(all.length).toBeGreaterThan(1_800);
    for (const emoji of all) {
      for (const tone of TONES) {
        const character = withTone(emoji, tone);
        expect(emojiOnServer(character), character).toBe(character);
      }
    }
    expect(new Set(all.map(({ character }) => character)).size).toBe(all.length);
  });

  it('withTone: changes hands and people, and nothing else', () => {
    const [wave, heart] = ['👋', '❤️'].map((one) => all.find(({ character }) => character === one));
    expect([wave && withTone(wave, 0), wave && withTone(wave, 5)]).toEqual(['👋', '👋🏿']);
    expect(heart && withTone(heart, 5)).toBe('❤️');
  });

  it('searchEmoji: finds by code, name and synonym in both languages, the exact ones first', () => {
    expect(found('+1')[0]).toBe('👍');
    expect(found('tada')[0]).toBe('🎉');
    expect(found('otter')).toEqual(['🦦']);
    expect(found('Thumbs UP')[0]).toBe('👍');
    expect(found('いいね')).toContain('👍');
    expect(found('カワウソ')[0]).toBe('🦦');
    expect(found('かわうそ')[0]).toBe('🦦');
    expect(found('ﾗｰﾒﾝ')).toContain('🍜');
    expect(found('smile')).toHaveLength(5);
    expect(found('no emoji of this kind')).toEqual([]);
    expect(found(' ')).toEqual([]);
  });
});
