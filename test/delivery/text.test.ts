/** Words that say that there may be more than was counted. */
import { expect, test } from 'vitest';
import type { DeliveryKind } from '../../src/core/deliveryKinds.ts';
import { summaryOf, textOf } from '../../src/delivery/text.ts';
import type { Language } from '../../src/i18n/language.ts';

const people = { count: 3, names: ['Aki', 'Ben'], isMore: true };
const about = { subjects: 250, isMore: true };

test.each<[DeliveryKind, Record<Language, string>]>([
  [
    'MENTION',
    { en: 'Aki and 2 or more others mentioned you', ja: 'Akiさんと他2人以上があなたをメンションしました' },
  ],
  [
    'REPLY',
    {
      en: 'Aki and 2 or more others replied in 250 or more threads',
      ja: 'Akiさんと他2人以上が250件以上のスレッドに返信しました',
    },
  ],
  [
    'LIKE',
    {
      en: 'Aki and 2 or more others liked 250 or more of your messages',
      ja: 'Akiさんと他2人以上があなたの250件以上のメッセージに「いいね」しました',
    },
  ],
  ['MESSAGE', { en: 'Aki and 2 or more others posted', ja: 'Akiさんと他2人以上が投稿しました' }],
  [
    'REMINDER',
    {
      en: 'You asked to be reminded of 250 or more messages',
      ja: '250件以上のメッセージのリマインダーです',
    },
  ],
])('%s', (kind, words) => {
  for (const language of ['en', 'ja'] as const) {
    expect(textOf(language, kind, people, about)).toBe(words[language]);
    expect(textOf(language, kind, { ...people, isMore: false }, { subjects: 250 })).not.toMatch(
      /or more|以上/,
    );
  }
});

test('a summary', () => {
  expect(summaryOf('en', { subjects: 1_250, isMore: true })).toBe('1,250 or more new notifications');
  expect(summaryOf('ja', { subjects: 250, isMore: true })).toBe('新しい通知が250件以上あります');
  expect(summaryOf('en', { subjects: 1 })).toBe('1 new notification');
  expect(summaryOf('ja', { subjects: 2 })).toBe('新しい通知が2件あります');
});
