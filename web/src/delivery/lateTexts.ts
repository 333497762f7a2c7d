/** Texts of what is delivered of a room, and of what was delivered. They are loaded with these views. */
import type { DeliveryOutcome, RoomDelivery } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import type { Language } from '../i18n/texts.ts';

const en = {
  room: 'Notifications',
  roomNamed: (name: string) => `Notifications of ${name}`,
  roomHint: 'What reaches you outside the page. The bell stays as it is.',
  choice: {
    DEFAULT: 'Default',
    ALL: 'All messages',
    MENTIONS: 'Mentions',
    NOTHING: 'Nothing',
  } satisfies Record<RoomDelivery, string>,
  choiceHint: {
    DEFAULT: 'What the bell shows; nothing while the room is muted',
    ALL: 'What the bell shows, and new messages, even if the room is muted',
    MENTIONS: 'Only mentions, even if the room is muted',
    NOTHING: 'Nothing of this room',
  } satisfies Record<RoomDelivery, string>,
  settings: 'Browsers, times and quiet hours',
  saved: 'Notifications of this room are saved.',
  rooms: 'Rooms',
  roomsHint: 'Rooms that are muted, or for which you chose something other than the default.',
  noRooms: 'No room differs.',
  muted: 'muted',
  change: 'Change',
  changeNamed: (name: string) => `Change notifications of ${name}`,
  recent: 'Recent notifications',
  recentHint: 'What was sent outside the page in the last three days, and what was not, with the reason.',
  none: 'Nothing in the last three days.',
  test: 'Test',
  more: 'Show more',
  outcome: {
    PENDING: 'Being sent',
    SENT: 'Sent',
    READ_BEFORE: 'Not sent: you had read it',
    MUTED: 'Not sent: you muted the room, or chose less of it',
    SWITCHED_OFF: 'Not sent: it’s switched off, or no browser is on',
    QUIET_HOURS: 'Not sent: quiet hours held it back for too long',
    PAUSED: 'Not sent: a pause held it back for too long',
    NOT_ENTITLED: 'Not sent: you weren’t in the room any more',
    NOTHING_LEFT: 'Not sent: it was deleted or taken back',
    STALE: 'Not sent: it was too old',
    FAILED: 'Failed: no receiver took it',
  } satisfies Record<DeliveryOutcome, string>,
};

type LateTexts = typeof en;

const ja: LateTexts = {
  room: '通知',
  roomNamed: (name) => `「${name}」の通知`,
  roomHint: 'ページを開いていないときに届くものを選びます。ベルの表示は変わりません。',
  choice: { DEFAULT: '標準', ALL: 'すべてのメッセージ', MENTIONS: 'メンション', NOTHING: 'なし' },
  choiceHint: {
    DEFAULT: 'ベルに表示されるもの（ミュート中は届きません）',
    ALL: 'ベルに表示されるものと新しいメッセージ（ミュート中も届きます）',
    MENTIONS: 'メンションのみ（ミュート中も届きます）',
    NOTHING: 'このルームからは何も届きません',
  },
  settings: 'ブラウザー、時間、おやすみ時間の設定',
  saved: 'このルームの通知設定を保存しました。',
  rooms: 'ルーム',
  roomsHint: 'ミュート中のルームと、標準以外を選んだルームです。',
  noRooms: '設定を変えたルームはありません。',
  muted: 'ミュート中',
  change: '変更',
  changeNamed: (name) => `「${name}」の通知を変更`,
  recent: '最近の通知',
  recentHint: 'この 3 日間にページの外へ送られたものと、送られなかったものとその理由です。',
  none: 'この 3 日間の通知はありません。',
  test: 'テスト',
  more: 'さらに表示',
  outcome: {
    PENDING: '送信中',
    SENT: '送信済み',
    READ_BEFORE: '未送信：すでに読まれていました',
    MUTED: '未送信：ルームがミュートされているか、通知が制限されています',
    SWITCHED_OFF: '未送信：通知がオフか、オンのブラウザーがありません',
    QUIET_HOURS: '未送信：おやすみ時間が長く続きました',
    PAUSED: '未送信：一時停止が長く続きました',
    NOT_ENTITLED: '未送信：ルームに参加していませんでした',
    NOTHING_LEFT: '未送信：削除されたか、取り消されました',
    STALE: '未送信：古くなりました',
    FAILED: '失敗：受信先に届きませんでした',
  },
};

const TEXTS: Readonly<Record<Language, LateTexts>> = { en, ja };

export const useLateTexts = (): LateTexts => TEXTS[useI18n().language];
