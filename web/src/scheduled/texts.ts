/** The texts of scheduled messages. They are loaded with the dialogs, because few visits show one. */
import { useI18n } from '../i18n/i18n.ts';
import type { Language } from '../i18n/texts.ts';

const en = {
  title: 'Scheduled messages',
  later: 'Send later',
  soon: 'In 20 minutes',
  tomorrow: 'Tomorrow at 9:00',
  at: 'Date and time',
  zone: (name: string) => `By the clock of ${name}, your time zone.`,
  schedule: 'Schedule',
  scheduled: (time: string) => `It’ll be sent ${time}.`,
  all: 'Scheduled messages…',
  none: 'Nothing is scheduled.',
  noneHint: 'Write a message and choose “Send later”.',
  gone: 'A room you’re not in any more',
  reply: 'in a thread',
  notSent: (why: string) => `Not sent: ${why}`,
  edit: 'Edit',
  editOf: (text: string) => `Edit “${text}”`,
  now: 'Send now',
  nowOf: (text: string) => `Send now: “${text}”`,
  cancel: 'Delete',
  cancelOf: (text: string) => `Delete “${text}”`,
  text: 'Message',
  more: 'Show more',
  sentAlready: 'It was sent already.',
};

type ScheduledTexts = typeof en;

const ja: ScheduledTexts = {
  title: '予約したメッセージ',
  later: '後で送信',
  soon: '20 分後',
  tomorrow: '明日の 9:00',
  at: '日時',
  zone: (name) => `タイムゾーン：${name}`,
  schedule: '予約する',
  scheduled: (time) => `${time}に送信します。`,
  all: '予約したメッセージ…',
  none: '予約はありません。',
  noneHint: 'メッセージを書いて「後で送信」を選んでください。',
  gone: '参加していないルーム',
  reply: 'スレッド内',
  notSent: (why) => `送信できませんでした：${why}`,
  edit: '編集',
  editOf: (text) => `「${text}」を編集`,
  now: '今すぐ送信',
  nowOf: (text) => `今すぐ送信：「${text}」`,
  cancel: '削除',
  cancelOf: (text) => `「${text}」を削除`,
  text: 'メッセージ',
  more: 'さらに表示',
  sentAlready: 'すでに送信されました。',
};

const TEXTS: Readonly<Record<Language, ScheduledTexts>> = { en, ja };

export const useScheduledTexts = (): ScheduledTexts => TEXTS[useI18n().language];
