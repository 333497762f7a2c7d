/** Texts about rooms that the viewer waits for or has lost. They are loaded with what shows them. */
import { useI18n } from '../i18n/i18n.ts';
import type { Language } from '../i18n/texts.ts';

const en = {
  waiting: 'Waiting for a seat',
  all: 'Public rooms',
  lostPlace: (name: string) => `You’re no longer on the waitlist for ${name}.`,
  lostPlaceHint: 'You left it on another device, or an owner or moderator banned you.',
  gone: (name: string) => `${name} isn’t available any more.`,
  goneHint: 'The room was deleted, or you no longer have access to it.',
};

type RoomTexts = typeof en;

const ja: RoomTexts = {
  waiting: '空き待ちのルーム',
  all: '公開ルーム',
  lostPlace: (name) => `${name} の順番待ちから外れました。`,
  lostPlaceHint: '別の端末で順番待ちをやめたか、オーナーかモデレーターに参加を禁止された可能性があります。',
  gone: (name) => `${name} は利用できなくなりました。`,
  goneHint: 'ルームが削除されたか、見る権限がなくなった可能性があります。',
};

const TEXTS: Readonly<Record<Language, RoomTexts>> = { en, ja };

export const useRoomTexts = (): RoomTexts => TEXTS[useI18n().language];
