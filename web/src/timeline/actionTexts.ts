/** Texts of the actions for a message. They are loaded with the toolbar or the edit form. */
import { useI18n } from '../i18n/i18n.ts';
import type { Language } from '../i18n/texts.ts';

const en = {
  actions: 'Message actions',
  more: 'More actions',
  edit: 'Edit',
  copyLink: 'Copy link',
  markUnread: 'Mark unread from here',
  remove: 'Delete',
  removeTitle: 'Delete this message?',
  removeHint: 'Its text and stamps are removed for everyone. Its thread stays.',
  reply: 'Reply in thread',
  replyHere: 'Reply to this message',
  quote: 'Quote',
  copyText: 'Copy text',
  copied: 'Text copied.',
  unsavedEdit: 'This message was deleted, so your changes could not be saved. You can copy your text.',
  edited: (name: string, at: string) => `Edited by ${name}, ${at}`,
};

type ActionTexts = typeof en;

const ja: ActionTexts = {
  actions: 'メッセージの操作',
  more: 'その他の操作',
  edit: '編集',
  copyLink: 'リンクをコピー',
  markUnread: 'ここから未読にする',
  remove: '削除',
  removeTitle: 'このメッセージを削除しますか？',
  removeHint: '本文とスタンプは全員から見えなくなります。スレッドは残ります。',
  reply: 'スレッドで返信',
  replyHere: 'このメッセージに返信',
  quote: '引用',
  copyText: 'テキストをコピー',
  copied: 'テキストをコピーしました。',
  unsavedEdit:
    'このメッセージは削除されたため、変更を保存できませんでした。入力したテキストはコピーできます。',
  edited: (name, at) => `${name} が編集（${at}）`,
};

const TEXTS: Readonly<Record<Language, ActionTexts>> = { en, ja };

export const useActionTexts = (): ActionTexts => TEXTS[useI18n().language];
