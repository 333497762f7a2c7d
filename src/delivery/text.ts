import type { DeliveryKind } from '../core/deliveryKinds.ts';
import type { Language } from '../i18n/language.ts';
import { createWording, type Messages } from '../i18n/wording.ts';

type Name = DeliveryKind | 'SEVERAL' | 'TEST' | 'HIDDEN';

/**
 * `count`: distinct people; `first` and `second`: the names of the newest two; `subjects`: how many messages, threads or
 * notifications. Each message is a whole sentence, because two languages may share a part that a third cannot.
 */
const en: Messages<Name> = {
  MENTION: `{count, plural, offset:1
    =1 {{first}} =2 {{first} and {second}} other {{first} and # others}} mentioned you`,
  REPLY: `{count, plural, offset:1
    =1 {{first}} =2 {{first} and {second}} other {{first} and # others}} replied in {subjects, plural,
    one {a thread} other {# threads}}`,
  LIKE: `{count, plural, offset:1
    =1 {{first}} =2 {{first} and {second}} other {{first} and # others}} liked {subjects, plural,
    one {your message} other {# of your messages}}`,
  STAMP: `{count, plural, offset:1
    =1 {{first}} =2 {{first} and {second}} other {{first} and # others}} stamped {subjects, plural,
    one {your message} other {# of your messages}}`,
  DIRECT_MESSAGE: `{count, plural, offset:1
    =1 {{first}} =2 {{first} and {second}} other {{first} and # others}} wrote to you`,
  MESSAGE: `{count, plural, offset:1
    =1 {{first}} =2 {{first} and {second}} other {{first} and # others}} posted`,
  JOIN: `{count, plural, offset:1
    =1 {{first}} =2 {{first} and {second}} other {{first} and # others}} joined`,
  SEAT: 'A seat opened up, and you joined the room',
  INVITED: `{count, plural, offset:1
    =1 {{first}} =2 {{first} and {second}} other {{first} and # others}} added you to a room`,
  REMINDER: 'You asked to be reminded of {subjects, plural, one {a message} other {# messages}}',
  TEST: 'This is a test. Notifications from Tsudoi reach you here.',
  HIDDEN: 'New activity in Tsudoi',
  SEVERAL: '{subjects, plural, one {# new notification} other {# new notifications}}',
};

const ja: Messages<Name> = {
  MENTION: `{count, plural, offset:1
    =1 {{first}さん} =2 {{first}さんと{second}さん} other {{first}さんと他#人}}があなたをメンションしました`,
  REPLY: `{count, plural, offset:1
    =1 {{first}さん} =2 {{first}さんと{second}さん} other {{first}さんと他#人}}が{subjects, plural,
    =1 {スレッド} other {#件のスレッド}}に返信しました`,
  LIKE: `{count, plural, offset:1
    =1 {{first}さん} =2 {{first}さんと{second}さん} other {{first}さんと他#人}}があなたの{subjects, plural,
    =1 {メッセージ} other {#件のメッセージ}}に「いいね」しました`,
  STAMP: `{count, plural, offset:1
    =1 {{first}さん} =2 {{first}さんと{second}さん} other {{first}さんと他#人}}があなたの{subjects, plural,
    =1 {メッセージ} other {#件のメッセージ}}にスタンプを押しました`,
  DIRECT_MESSAGE: `{count, plural, offset:1
    =1 {{first}さん} =2 {{first}さんと{second}さん} other {{first}さんと他#人}}からメッセージがあります`,
  MESSAGE: `{count, plural, offset:1
    =1 {{first}さん} =2 {{first}さんと{second}さん} other {{first}さんと他#人}}が投稿しました`,
  JOIN: `{count, plural, offset:1
    =1 {{first}さん} =2 {{first}さんと{second}さん} other {{first}さんと他#人}}が参加しました`,
  SEAT: '待っていた席が空き、ルームに参加しました',
  INVITED: `{count, plural, offset:1
    =1 {{first}さん} =2 {{first}さんと{second}さん} other {{first}さんと他#人}}があなたをルームに追加しました`,
  REMINDER: '{subjects, plural, =1 {メッセージ} other {#件のメッセージ}}のリマインダーです',
  TEST: 'これはテストです。Tsudoiからの通知はここに届きます。',
  HIDDEN: 'Tsudoiで新しい動きがあります',
  SEVERAL: '新しい通知が{subjects}件あります',
};

const wording = createWording({ en, ja });

export interface DeliveredPeople {
  /** Distinct people. */
  readonly count: number;
  /** Display names of the newest two, the newest first; one name if `count` is 1. */
  readonly names: readonly string[];
  /** How many messages, threads or rooms it is about. */
  readonly subjects: number;
}

/** "Aki liked your message", "Aki and 2 others replied in 3 threads". */
export const textOf = (language: Language, kind: DeliveryKind, people: DeliveredPeople): string =>
  wording(language, kind, {
    ...{ count: people.count, subjects: people.subjects },
    ...{ first: people.names[0] ?? '', second: people.names[1] ?? '' },
  });

/** For several kinds or rooms: "5 new notifications". */
export const summaryOf = (language: Language, subjects: number): string =>
  wording(language, 'SEVERAL', { subjects });

/** For a test that the person asked for. */
export const testText = (language: Language): string => wording(language, 'TEST');

/** For people who hide texts. */
export const hiddenText = (language: Language): string => wording(language, 'HIDDEN');
