import { IntlMessageFormat } from 'intl-messageformat';
import { describe, expect, it } from 'vitest';
import en from '../../web/src/i18n/en.ts';
import { createI18n } from '../../web/src/i18n/i18n.ts';
import ja from '../../web/src/i18n/ja.ts';
import type { Language } from '../../web/src/i18n/texts.ts';

const at = (day: number, hours: number, minutes: number) =>
  new Date(2026, 0, day, hours, minutes).toISOString();
const inLanguage = (
  language: Language,
  day: number,
  tags: readonly string[] = [],
  clock: '12' | '24' = '24',
) =>
  createI18n({
    language,
    tags,
    clock,
    texts: { en, ja }[language],
    actions: { async setLanguage() {}, follow() {} },
    today: new Date(2026, 0, day).getTime(),
  });

describe('web i18n', () => {
  it('texts: Japanese ones have the punctuation of Japanese', () => {
    const others = Object.entries(ja).filter(([, text]) =>
      /[\p{sc=Hira}\p{sc=Kana}\p{sc=Han}」）][:?!,.]/u.test(text),
    );
    expect(others).toEqual([]);
  });

  it.each(['en', 'ja'] as const)('texts: separate the thousands of counts in %s', (language) => {
    const counting = Object.values({ en, ja }[language]).filter((text) => /\{(count|capacity)\b/.test(text));
    const names = { first: '', second: '', name: '', label: '', own: 'no', more: 'no' };
    const written = counting.map((text) =>
      String(new IntlMessageFormat(text, language).format({ count: 1234, capacity: 1234, ...names })),
    );
    expect(written.length).toBeGreaterThan(10);
    expect(written.filter((text) => /1234/.test(text))).toEqual([]);
  });

  it.each(['en', 'ja'] as const)('time: shows midnight as 00:00 in %s', (language) => {
    const { time } = inLanguage(language, 2);
    expect([time(at(1, 23, 59)), time(at(2, 0, 0)), time(at(2, 0, 5))]).toEqual(['23:59', '00:00', '00:05']);
  });

  it('time: is written with 12 hours for those who prefer it', () => {
    const times = (language: Language) => {
      const { time } = inLanguage(language, 2, [], '12');
      return [time(at(2, 0, 5)), time(at(2, 14, 30))].map((text) => text.replace(/\s/g, ' '));
    };
    expect(times('en')).toEqual(['12:05 AM', '2:30 PM']);
    expect(times('ja')).toEqual(['午前12:05', '午後2:30']);
    const { dateTime } = inLanguage('en', 2, [], '24');
    expect(dateTime(at(2, 14, 30))).toContain('14:30');
  });

  it('dateTimeIn: is by the clock of a zone, and names it if the browser is in another', () => {
    const noon = '2026-01-05T12:00:00Z';
    for (const [language, written] of [
      ['en', 'Tue, Jan 6, 01:45'],
      ['ja', '1月6日(火) 01:45'],
    ] as const) {
      const { dateTimeIn } = inLanguage(language, 2);
      expect(dateTimeIn('Pacific/Chatham', noon)).toBe(`${written} (Pacific/Chatham)`);
      expect(dateTimeIn(null, noon)).not.toContain('(P');
      expect(dateTimeIn('Mars/Olympus', noon)).toBe(dateTimeIn(null, noon));
    }
  });

  it('dateTimeIn: has the year only if it is another one', () => {
    const written = (language: Language, today: number) =>
      inLanguage(language, today, ['en-GB']).dateTimeIn(null, at(6, 9, 5));
    expect(written('ja', 2)).toBe('1月6日(火) 09:05');
    expect(written('ja', 400)).toBe('2026年1月6日(火) 09:05');
    expect([2, 400].map((today) => written('en', today).includes('2026'))).toEqual([false, true]);
    // By the clock of the zone, in which it may be next year already.
    const inTokyo = inLanguage('ja', -5).dateTimeIn('Asia/Tokyo', '2025-12-31T15:30:00Z');
    expect(inTokyo).toMatch(/^2026年1月1日\(木\) 00:30/);
  });

  it('day: names today and yesterday from midnight to midnight, and older days by date', () => {
    const days = [2, 3, 4].map((today) => {
      const { day } = inLanguage('en', today);
      return [day(at(2, 0, 0)), day(at(2, 23, 59))];
    });
    expect(days).toEqual([
      ['Today', 'Today'],
      ['Yesterday', 'Yesterday'],
      ['Friday, January 2', 'Friday, January 2'],
    ]);
    expect(inLanguage('ja', 366).day(at(2, 0, 0))).toBe('2026年1月2日');
    const british = inLanguage('en', 4, ['fr-FR', 'en-GB', 'en-US']);
    expect(british.day(at(2, 0, 0))).toBe('Friday 2 January');
  });
});
