/** The texts of the settings. They are loaded with the page, because few visits show it. */
import { useI18n } from '../i18n/i18n.ts';
import type { Language } from '../i18n/texts.ts';

const en = {
  profile: 'Profile',
  profileHint: 'Everyone who can sign in here sees this.',
  name: 'Name',
  handle: 'Handle',
  handleHint: '3 to 20 of a–z, 0–9 and _. Others mention you with it.',
  handleWrong: 'A handle has 3 to 20 of the characters a–z, 0–9 and _, and some words are reserved.',
  picture: 'Picture',
  pictureHint:
    'The address of a picture on the web. It’s loaded from there when someone opens your profile card.',
  pictureWrong: 'That isn’t the address of a picture.',
  pictureNotLoaded: 'There’s no picture at this address, or it can’t be shown here.',
  zone: 'Time zone',
  zoneHint: 'Others see what time it is where you are.',
  zoneNone: 'Don’t show my local time',
  zoneHere: (zone: string) => `This browser’s: ${zone}`,
  nameWrong: 'A name has 1 to 80 characters.',
  saved: 'Saved.',
  look: 'Appearance',
  lookHint: 'Theme, density and time are saved in this browser.',
  theme: 'Theme',
  themes: { system: 'Like the system', light: 'Light', dark: 'Dark' },
  density: 'Density',
  densities: { roomy: 'Roomy', compact: 'Compact' },
  clock: 'Time',
  clocks: { '24': '24 hours (14:30)', '12': '12 hours (2:30 PM)' },
  language: 'Language',
  languageHint:
    'Saved in your account, too: notifications and mails are in it, and so is any browser where you haven’t chosen one.',
  notifications: 'Notifications and devices',
  notificationsHint: 'What reaches you while Tsudoi isn’t open, and on which devices.',
  notificationsOpen: 'Notification settings',
  keys: 'Keyboard',
  keysOpen: 'Show all shortcuts',
  kept: 'Without a connection',
  keptHint:
    'This browser keeps the newest messages of the rooms you read last, so that you can read them offline. They’re deleted when you sign out, and 30 days after you last opened the room.',
  keptForget: 'Delete offline messages',
  keptForgotten: 'Offline messages deleted.',
  account: 'Account',
  signOutEverywhere: 'Sign out everywhere',
  signOutHint:
    'Signs you out on every device, this one included. Do this if a device was lost, or someone else may know your sign-in.',
  signOutProvider:
    'Sessions at your identity provider stay open. If a device was lost, end them there as well, or someone could sign in with it again.',
  signOutConfirm: 'Sign out everywhere?',
  signOutForbidden: 'Your sign-in doesn’t say when it was made, so it can’t be ended here. Ask the operator.',
};

type SettingsTexts = typeof en;

const ja: SettingsTexts = {
  profile: 'プロフィール',
  profileHint: 'サインインできる人全員に表示されます。',
  name: '名前',
  handle: 'ハンドル',
  handleHint: 'a–z、0–9、_ の 3〜20 文字。メンションに使われます。',
  handleWrong: 'ハンドルは a–z、0–9、_ の 3〜20 文字です。使えない単語もあります。',
  picture: '画像',
  pictureHint: 'ウェブ上の画像のアドレス。プロフィールカードを開いた人のブラウザーがそこから読み込みます。',
  pictureWrong: '画像のアドレスではありません。',
  pictureNotLoaded: 'このアドレスに画像がないか、ここでは表示できません。',
  zone: 'タイムゾーン',
  zoneHint: 'ほかの人に、あなたの現在時刻が表示されます。',
  zoneNone: '現在時刻を表示しない',
  zoneHere: (zone) => `このブラウザー：${zone}`,
  nameWrong: '名前は 1〜80 文字です。',
  saved: '保存しました。',
  look: '表示',
  lookHint: 'テーマ、密度、時刻はこのブラウザーに保存されます。',
  theme: 'テーマ',
  themes: { system: 'システムに合わせる', light: 'ライト', dark: 'ダーク' },
  density: '密度',
  densities: { roomy: 'ゆったり', compact: 'コンパクト' },
  clock: '時刻',
  clocks: { '24': '24 時間 (14:30)', '12': '12 時間 (午後 2:30)' },
  language: '言語',
  languageHint:
    'アカウントにも保存されます。通知とメールはこの言語で届き、言語を選んでいないブラウザーでも使われます。',
  notifications: '通知とデバイス',
  notificationsHint: 'Tsudoi を開いていないときに届くものと、届くデバイス。',
  notificationsOpen: '通知の設定',
  keys: 'キーボード',
  keysOpen: 'ショートカットの一覧',
  kept: 'オフライン',
  keptHint:
    'このブラウザーは、最近読んだルームの新しいメッセージを保存し、オフラインでも読めるようにします。サインアウトしたとき、またはルームを最後に開いてから 30 日後に削除されます。',
  keptForget: 'オフライン用のメッセージを削除',
  keptForgotten: 'オフライン用のメッセージを削除しました。',
  account: 'アカウント',
  signOutEverywhere: 'すべての端末でサインアウト',
  signOutHint:
    'この端末を含むすべての端末でサインアウトします。端末を紛失したときや、サインイン情報を他人に知られたおそれがあるときに使ってください。',
  signOutProvider:
    '認証サービスのセッションは終了しません。端末を紛失したときは、その端末からもう一度サインインされないように、認証サービスでもセッションを終了してください。',
  signOutConfirm: 'すべての端末でサインアウトしますか？',
  signOutForbidden: 'このサインインは発行時刻がないため、ここでは終了できません。運用者に連絡してください。',
};

const TEXTS: Readonly<Record<Language, SettingsTexts>> = { en, ja };

export const useSettingsTexts = (): SettingsTexts => TEXTS[useI18n().language];
