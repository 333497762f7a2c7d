import { describe, expect, it } from 'vitest';
import { beginning, matching, rankOf } from '../../../web/src/ui/fuzzy.ts';

const found = (names: readonly string[], wanted: string) =>
  matching(
    names.map((name) => ({ names: [name], value: name })),
    wanted,
  );

describe('web matching', () => {
  it('rankOf: a whole name is before its beginning, a word, a part, and scattered characters', () => {
    const names = ['The unharmed', 'A harbour', 'harbour', 'Harbour lights', 'Hot bread', 'Kitchen'];
    expect(found(names, 'harbour')).toEqual(['harbour', 'Harbour lights', 'A harbour']);
    expect(found(names, 'har')).toEqual(['harbour', 'Harbour lights', 'A harbour', 'The unharmed']);
    expect(found(names, 'hbd')).toEqual(['Hot bread']);
    expect(found(names, 'lights harb')).toEqual(['Harbour lights']);
    expect(found(names, 'xyz')).toEqual([]);
  });

  it('rankOf: compares kana, widths and cases as the same', () => {
    expect(rankOf('ラーメン部', 'らーめん')).toBe(1);
    expect(rankOf('らーめん部', 'ﾗｰﾒﾝ')).toBe(1);
    expect(rankOf('雑談・お知らせ', 'お知')).toBe(2);
    expect(rankOf('Ｌｏｂｂｙ', 'lobby')).toBe(0);
  });

  it('beginning: completes names and their words, in any kana and width, and Japanese anywhere', () => {
    const completed = (names: readonly string[], typed: string) =>
      beginning(
        names.map((name) => ({ names: [name], value: name })),
        typed,
      );
    expect(completed(['Ben Anders', 'Andrea', 'Brian', 'Hana Nishida'], 'ａｎ')).toEqual([
      'Andrea',
      'Ben Anders',
    ]);
    expect(completed(['製品ロビー', 'ロビー', '開発'], 'ろび')).toEqual(['ロビー', '製品ロビー']);
    expect(completed(['石田健司', '大石まり', '小川みお'], '石')).toEqual(['石田健司', '大石まり']);
    expect(completed(['石田健司', '小川みお'], '健司')).toEqual(['石田健司']);
    expect(completed(['One', 'Two'], '')).toEqual(['One', 'Two']);
    expect(completed(['Ops on-call', 'Non-core', 'On-call'], 'on-c')).toEqual(['On-call', 'Ops on-call']);
    expect(completed(['Dr Anne-Marie Roy', 'Team Q/A'], 'anne-m')).toEqual(['Dr Anne-Marie Roy']);
  });

  it('matching: equal ones stay in their order, and each value is there once', () => {
    const value = { names: ['Ben Okafor', 'ben'], value: 'ben' };
    expect(matching([value, { names: ['Benita'], value: 'benita' }], 'ben')).toEqual(['ben', 'benita']);
    expect(found(['Room b', 'Room a'], 'room')).toEqual(['Room b', 'Room a']);
  });
});
