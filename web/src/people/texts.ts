/** The texts of profile cards. They are loaded with the first card. */
import { useI18n } from '../i18n/i18n.ts';
import type { Language } from '../i18n/texts.ts';

const en = {
  profile: 'Profile',
  message: 'Message',
  edit: 'Edit profile',
  localTime: (time: string) => `Local time: ${time}`,
  savedPublicly: 'Saved publicly',
  moreSaved: 'Show more',
};

type PeopleTexts = typeof en;

const ja: PeopleTexts = {
  profile: 'プロフィール',
  message: 'メッセージ',
  edit: 'プロフィールを編集',
  localTime: (time) => `現地時刻：${time}`,
  savedPublicly: '公開で保存したもの',
  moreSaved: 'さらに表示',
};

const TEXTS: Readonly<Record<Language, PeopleTexts>> = { en, ja };

export const usePeopleTexts = (): PeopleTexts => TEXTS[useI18n().language];
