import type { Language } from '../i18n/language.ts';
import { createWording, type Messages } from '../i18n/wording.ts';
import { byReactionNotification } from '../reactions/registry.ts';
import type { NotificationKind } from './notification.ts';

type Name = NotificationKind | 'WITHHELD' | 'WITHHELD_REMINDER';

/**
 * `count`: distinct users; `first` and `second`: the names of the newest two. `#` is the count without the first.
 * Each message is a whole sentence, because two languages may share a part that a third cannot.
 */
const en: Messages<Name> = {
  ...byReactionNotification(({ texts }) => texts.en),
  REPLY: `{count, plural, offset:1
    =1 {{first}} =2 {{first} and {second}} other {{first} and # others}} replied in a thread`,
  MENTION: `{count, plural, offset:1
    =1 {{first}} =2 {{first} and {second}} other {{first} and # others}} mentioned you`,
  INVITED: `{count, plural, offset:1
    =1 {{first}} =2 {{first} and {second}} other {{first} and # others}} added you to a room`,
  SEAT: 'A seat opened up, and you joined the room',
  REMINDER: 'You asked to be reminded of a message',
  WITHHELD_REMINDER: 'You asked to be reminded of a message in a room that you are no longer in',
  WITHHELD: 'Something happened in a room that you are no longer in',
};

const ja: Messages<Name> = {
  ...byReactionNotification(({ texts }) => texts.ja),
  REPLY: `{count, plural, offset:1
    =1 {{first}さん} =2 {{first}さんと{second}さん} other {{first}さんと他#人}}がスレッドに返信しました`,
  MENTION: `{count, plural, offset:1
    =1 {{first}さん} =2 {{first}さんと{second}さん} other {{first}さんと他#人}}があなたをメンションしました`,
  INVITED: `{count, plural, offset:1
    =1 {{first}さん} =2 {{first}さんと{second}さん} other {{first}さんと他#人}}があなたをルームに追加しました`,
  SEAT: '待っていた席が空き、ルームに参加しました',
  REMINDER: 'メッセージのリマインダーです',
  WITHHELD_REMINDER: '参加していないルームのメッセージのリマインダーです',
  WITHHELD: '参加していないルームで動きがありました',
};

const wording = createWording({ en, ja });

export interface NotificationActors {
  /** Distinct users. */
  readonly count: number;
  /** Display names of the newest two, the newest first; one name if `count` is 1. */
  readonly names: readonly string[];
}

/** "Aki liked your message", "Aki and Ben liked …", "Aki and 4 others liked …". */
export const textOf = (
  language: Language,
  kind: NotificationKind,
  { count, names }: NotificationActors,
): string => wording(language, kind, { count, first: names[0] ?? '', second: names[1] ?? '' });

/** For a user who left the room. It reveals nothing of what happened there. */
export const withheldText = (language: Language, kind: NotificationKind): string =>
  wording(language, kind === 'REMINDER' ? 'WITHHELD_REMINDER' : 'WITHHELD');
