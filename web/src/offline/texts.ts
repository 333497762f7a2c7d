/** Texts of what is shown without the server. They are loaded before it is needed. */
import { useI18n } from '../i18n/i18n.ts';
import type { Language } from '../i18n/texts.ts';

const en = {
  rooms: 'Rooms you read last',
  hint: 'These messages are from this browser and may be out of date.',
  messages: (name: string) => `Messages in ${name}`,
  asOf: (time: string) => `As of ${time}`,
};

type OfflineTexts = typeof en;

const ja: OfflineTexts = {
  rooms: '最近読んだルーム',
  hint: 'このブラウザーに保存されたメッセージです。最新ではない可能性があります。',
  messages: (name) => `${name} のメッセージ`,
  asOf: (time) => `${time} 時点`,
};

const TEXTS: Readonly<Record<Language, OfflineTexts>> = { en, ja };

export const useOfflineTexts = (): OfflineTexts => TEXTS[useI18n().language];
