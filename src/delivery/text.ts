import type { DeliveryKind } from '../core/deliveryKinds.ts';
import type { Language } from '../i18n/language.ts';
import { createWording, type Messages } from '../i18n/wording.ts';

type Name = DeliveryKind | 'SEVERAL' | 'TEST' | 'HIDDEN';

/** The people of a sentence: "Aki", "Aki and Ben", "Aki and 2 others", "Aki and 2 or more others". */
const EN_PEOPLE = `{count, plural, offset:1
    =1 {{first}} =2 {{first} and {second}} other {{first} and # {people, select, MORE {or more others} other {others}}}}`;
const JA_PEOPLE = `{count, plural, offset:1
    =1 {{first}さん} =2 {{first}さんと{second}さん} other {{first}さんと他#人{people, select, MORE {以上} other {}}}}`;

/**
 * `count`: distinct people; `first` and `second`: the names of the newest two; `subjects`: how many messages, threads
 * or notifications. `people` and `known` are MORE if there may be more people, or more of these, than were counted.
 * Languages share no parts of sentences, because what two of them can share a third may not.
 */
const en: Messages<Name> = {
  MENTION: `${EN_PEOPLE} mentioned you`,
  REPLY: `${EN_PEOPLE} replied in {subjects, plural,
    one {a thread} other {# {known, select, MORE {or more threads} other {threads}}}}`,
  LIKE: `${EN_PEOPLE} liked {subjects, plural,
    one {your message} other {# {known, select, MORE {or more of} other {of}} your messages}}`,
  STAMP: `${EN_PEOPLE} stamped {subjects, plural,
    one {your message} other {# {known, select, MORE {or more of} other {of}} your messages}}`,
  DIRECT_MESSAGE: `${EN_PEOPLE} wrote to you`,
  MESSAGE: `${EN_PEOPLE} posted`,
  JOIN: `${EN_PEOPLE} joined`,
  SEAT: 'A seat opened up, and you joined the room',
  INVITED: `${EN_PEOPLE} added you to a room`,
  REMINDER: `You asked to be reminded of {subjects, plural,
    one {a message} other {# {known, select, MORE {or more messages} other {messages}}}}`,
  TEST: 'This is a test. Notifications from Tsudoi reach you here.',
  HIDDEN: 'New activity in Tsudoi',
  SEVERAL: `{known, select, MORE {{subjects, number} or more new notifications}
    other {{subjects, plural, one {# new notification} other {# new notifications}}}}`,
};

const ja: Messages<Name> = {
  MENTION: `${JA_PEOPLE}があなたをメンションしました`,
  REPLY: `${JA_PEOPLE}が{subjects, plural,
    =1 {スレッド} other {#件{known, select, MORE {以上} other {}}のスレッド}}に返信しました`,
  LIKE: `${JA_PEOPLE}があなたの{subjects, plural,
    =1 {メッセージ} other {#件{known, select, MORE {以上} other {}}のメッセージ}}に「いいね」しました`,
  STAMP: `${JA_PEOPLE}があなたの{subjects, plural,
    =1 {メッセージ} other {#件{known, select, MORE {以上} other {}}のメッセージ}}にスタンプを押しました`,
  DIRECT_MESSAGE: `${JA_PEOPLE}からメッセージがあります`,
  MESSAGE: `${JA_PEOPLE}が投稿しました`,
  JOIN: `${JA_PEOPLE}が参加しました`,
  SEAT: '待っていた席が空き、ルームに参加しました',
  INVITED: `${JA_PEOPLE}があなたをルームに追加しました`,
  REMINDER: `{subjects, plural,
    =1 {メッセージ} other {#件{known, select, MORE {以上} other {}}のメッセージ}}のリマインダーです`,
  TEST: 'これはテストです。Tsudoiからの通知はここに届きます。',
  HIDDEN: 'Tsudoiで新しい動きがあります',
  SEVERAL: '新しい通知が{subjects}件{known, select, MORE {以上} other {}}あります',
};

const wording = createWording({ en, ja });

export interface DeliveredPeople {
  /** Distinct people. */
  readonly count: number;
  /** Display names of the newest two, the newest first; one name if `count` is 1. */
  readonly names: readonly string[];
  /** Whether there may be more of them. */
  readonly isMore?: boolean;
}

/** How many messages, threads or notifications it is about. */
export interface DeliveredSubjects {
  readonly subjects: number;
  /** Whether there may be more of them. */
  readonly isMore?: boolean;
}

/**
 * "Aki liked your message", "Aki and 2 others replied in 3 threads", "Aki and 2 or more others liked 250 or more of
 * your messages".
 */
export const textOf = (
  language: Language,
  kind: DeliveryKind,
  people: DeliveredPeople,
  about: DeliveredSubjects,
): string =>
  wording(language, kind, {
    count: people.count,
    people: moreOf(people),
    subjects: about.subjects,
    known: moreOf(about),
    first: people.names[0] ?? '',
    second: people.names[1] ?? '',
  });

/** For several kinds or rooms: "5 new notifications". */
export const summaryOf = (language: Language, about: DeliveredSubjects): string =>
  wording(language, 'SEVERAL', { subjects: about.subjects, known: moreOf(about) });

const moreOf = ({ isMore = false }: { readonly isMore?: boolean }) => (isMore ? 'MORE' : 'ALL');

/** For a test that the person asked for. */
export const testText = (language: Language): string => wording(language, 'TEST');

/** For people who hide texts. */
export const hiddenText = (language: Language): string => wording(language, 'HIDDEN');
