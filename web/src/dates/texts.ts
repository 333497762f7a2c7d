/** Texts of jumping to a date. They are loaded with the views that use them. */
import { useI18n } from '../i18n/i18n.ts';
import type { Language } from '../i18n/texts.ts';

const en = {
  menu: 'Jump to a date…',
  title: 'Jump to a date',
  /** `day`: that of the messages on the screen. */
  from: (day: string) => `${day}: jump to a date`,
  date: 'Date',
  jump: 'Jump',
  weekAgo: 'A week ago',
  monthAgo: 'A month ago',
  yearAgo: 'A year ago',
  beginning: 'The beginning',
};

type DateTexts = typeof en;

const ja: DateTexts = {
  menu: '日付に移動…',
  title: '日付に移動',
  from: (day) => `${day}：日付に移動`,
  date: '日付',
  jump: '移動',
  weekAgo: '1 週間前',
  monthAgo: '1 か月前',
  yearAgo: '1 年前',
  beginning: '最初',
};

const TEXTS: Readonly<Record<Language, DateTexts>> = { en, ja };

export const useDateTexts = (): DateTexts => TEXTS[useI18n().language];
