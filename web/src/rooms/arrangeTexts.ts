/** The texts of the viewer's own order of rooms. They are loaded with the menu of a room. */
import { useI18n } from '../i18n/i18n.ts';
import type { Language } from '../i18n/texts.ts';

const en = {
  star: 'Star',
  unstar: 'Remove star',
  move: 'Move to section…',
  title: 'Move to a section',
  hint: 'Sections group the rooms in your list. Only you see them.',
  section: 'Section',
  placeholder: 'e.g. Projects',
  none: 'Out of its section',
  save: 'Move',
};

type ArrangeTexts = typeof en;

const ja: ArrangeTexts = {
  star: 'スターを付ける',
  unstar: 'スターを外す',
  move: 'セクションに移動…',
  title: 'セクションに移動',
  hint: 'セクションはルームの一覧をまとめます。自分にだけ見えます。',
  section: 'セクション',
  placeholder: '例：プロジェクト',
  none: 'セクションから出す',
  save: '移動',
};

const TEXTS: Readonly<Record<Language, ArrangeTexts>> = { en, ja };

export const useArrangeTexts = (): ArrangeTexts => TEXTS[useI18n().language];
