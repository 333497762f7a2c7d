/** The texts of alerts. They are loaded with what shows them. */
import { useI18n } from '../i18n/i18n.ts';
import type { Language } from '../i18n/texts.ts';

const en = {
  question: 'Turn on notifications?',
  questionHint:
    'You’ll get one, with a quiet sound, when someone mentions you, replies to you or messages you.',
  yes: 'Turn on',
  no: 'Not now',
  later: 'You can turn them on in Settings.',
  notAllowed:
    'The browser didn’t allow notifications. Allow them for this site in the browser, then turn them on in Settings.',
  notify: 'Desktop notifications',
  notifyHint: 'While Tsudoi is open and you’re looking at something else. Saved in this browser.',
  sound: 'Sound',
  soundHint:
    'A short, quiet sound for mentions, replies, direct messages and reminders. Not from muted rooms, and not in quiet hours. Saved in this browser.',
  message: 'New message',
  hidden: 'New activity',
};

type AlertTexts = typeof en;

const ja: AlertTexts = {
  question: '通知をオンにしますか？',
  questionHint: 'メンション、返信、ダイレクトメッセージを、画面の通知と小さな音でお知らせします。',
  yes: 'オンにする',
  no: 'あとで',
  later: '設定でいつでもオンにできます。',
  notAllowed:
    'ブラウザーで通知が許可されませんでした。ブラウザーの設定でこのサイトの通知を許可してから、Tsudoi の設定でオンにしてください。',
  notify: 'デスクトップ通知',
  notifyHint:
    'Tsudoi を開いたまま、ほかの画面を見ているときに表示します。この設定はこのブラウザーに保存されます。',
  sound: '通知音',
  soundHint:
    'メンション、返信、ダイレクトメッセージ、リマインダーを、短く小さな音で知らせます。ミュート中のルームとおやすみ時間中は鳴りません。この設定はこのブラウザーに保存されます。',
  message: '新しいメッセージ',
  hidden: '新しい動きがあります',
};

const TEXTS: Readonly<Record<Language, AlertTexts>> = { en, ja };

export const useAlertTexts = (): AlertTexts => TEXTS[useI18n().language];
