import type { Language } from '../../../i18n/language.ts';
import { createWording, type Messages } from '../../../i18n/wording.ts';
import type { EmailDigest } from '../../settings/settings.ts';

type Name = 'INTRODUCTION' | 'MORE' | 'OPEN' | 'REASON' | 'TEST_REASON' | 'CHANGE' | 'UNSUBSCRIBE';

const en: Messages<Name> = {
  INTRODUCTION: 'You have not read this yet:',
  MORE: 'There may be more.',
  OPEN: 'Open Tsudoi',
  REASON: `You get this because you want what you have not read by e-mail, {digest, select,
    MINUTES_15 {every 15 minutes} HOURLY {every hour} other {every day}} at most.`,
  TEST_REASON: 'You get this because you asked for a test.',
  CHANGE: 'Change what you get',
  UNSUBSCRIBE: 'Get no more of these mails',
};

const ja: Messages<Name> = {
  INTRODUCTION: 'まだ読んでいないお知らせがあります。',
  MORE: '他にもあるかもしれません。',
  OPEN: 'Tsudoiを開く',
  REASON: `未読のお知らせを、多くても{digest, select,
    MINUTES_15 {15分に1回} HOURLY {1時間に1回} other {1日に1回}}メールで受け取る設定になっているため、お送りしています。`,
  TEST_REASON: 'テストの送信を希望されたため、お送りしています。',
  CHANGE: '受け取る内容を変更する',
  UNSUBSCRIBE: 'このメールの配信を停止する',
};

const wording = createWording({ en, ja });

/** A line of the frame of a mail. `digest` is needed for `REASON`. */
export const mailText = (language: Language, name: Name, digest: EmailDigest = 'DAILY'): string =>
  wording(language, name, name === 'REASON' ? { digest } : undefined);
