import { describe, expect, it } from 'vitest';
import { builtIn } from '../../../src/reactions/stamps/builtIn.ts';
import en from '../../../web/src/i18n/en.ts';
import { createI18n } from '../../../web/src/i18n/i18n.ts';
import ja from '../../../web/src/i18n/ja.ts';
import type { Language } from '../../../web/src/i18n/texts.ts';
import { stampLabel } from '../../../web/src/stamps/labels.ts';
import { isCalled } from '../../../web/src/stamps/search.ts';

const inLanguage = (language: Language) =>
  createI18n({
    language,
    texts: { en, ja }[language],
    actions: { async setLanguage() {}, follow() {} },
    today: 0,
    tags: [],
    clock: '24',
  });
const stamps = builtIn.map(([key, label]) => ({ key, label }));
/** Stamps of the operator's folder. Two of their names collide with a text key and with a property of all objects. */
const ofTheFolder = [
  { key: 'party-parrot', label: 'Party parrot' },
  { key: 'none', label: 'None' },
  { key: 'constructor', label: 'Constructor' },
];
const found = (wanted: string) =>
  [...stamps, ...ofTheFolder].filter((stamp) => isCalled(stamp, wanted)).map(({ key }) => key);

describe('web stamps', () => {
  it('stampLabel: names built-in stamps in each language, in English with the server’s labels', () => {
    const labels = stamps.map((stamp) => stampLabel(stamp, inLanguage('ja')));
    expect(
      labels.filter((label) => !/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー：]+$/u.test(label)),
    ).toEqual([]);
    expect(new Set(labels).size).toBe(stamps.length);
    expect(stamps.map((stamp) => stampLabel(stamp, inLanguage('en')))).toEqual(
      stamps.map(({ label }) => label),
    );
  });

  it('stampLabel: uses the server’s label for stamps of a folder, in each language', () => {
    for (const language of ['en', 'ja'] as const) {
      const labels = ofTheFolder.map((stamp) => stampLabel(stamp, inLanguage(language)));
      expect(labels).toEqual(ofTheFolder.map(({ label }) => label));
    }
  });

  it('isCalled: matches the key and the labels in each language, in any spelling', () => {
    expect(found('ハート')).toEqual(['heart']);
    expect(found(' はーと')).toEqual(['heart']);
    expect(found('ﾊｰﾄ')).toEqual(['heart']);
    expect(found('HEART')).toEqual(['heart']);
    expect(found('富士')).toEqual(['fuji']);
    expect(found('cherry-b')).toEqual(['cherry-blossom']);
    expect(found('parrot')).toEqual(['party-parrot']);
    expect(found('')).toHaveLength(stamps.length + ofTheFolder.length);
    expect(found('nothing of the kind')).toEqual([]);
  });
});
