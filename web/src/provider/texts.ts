/** Texts of signing in at a provider. They are loaded with these views. */
import { useI18n } from '../i18n/i18n.ts';
import type { Language } from '../i18n/texts.ts';
import type { SignInFailure } from './provider.ts';

const en = {
  hint: 'You sign in on your identity provider’s page, and come back here.',
  submit: 'Sign in',
  opening: 'Opening the sign-in page…',
  signingIn: 'Signing in…',
  ended: 'Your sign-in has ended. Sign in again to continue. Your drafts are kept.',
  refused: 'You’re signed in at your identity provider, but this server doesn’t accept it. Ask the operator.',
  /** `code`: the provider's name for it, or nothing. */
  failure: (failure: SignInFailure, code: string | undefined): string => {
    const { [failure]: text } = {
      denied: 'You didn’t sign in, or you aren’t allowed to. Try again, or ask the operator.',
      mismatch: 'This sign-in was begun in another tab, or it is too old. Sign in again.',
      unreachable: 'Your identity provider can’t be reached. Try again in a moment.',
      insecure: 'Signing in needs HTTPS. Open this page with https:// in its address.',
      failed: `The sign-in failed${code === undefined ? '' : ` (${code})`}. Try again, or ask the operator.`,
    };
    return text;
  },
};

type ProviderTexts = typeof en;

const ja: ProviderTexts = {
  hint: '認証サービスのページでサインインしてから、ここに戻ります。',
  submit: 'サインイン',
  opening: 'サインインのページを開いています…',
  signingIn: 'サインインしています…',
  ended: 'サインインの有効期限が切れました。続けるにはもう一度サインインしてください。下書きは残っています。',
  refused:
    '認証サービスへのサインインは済んでいますが、このサーバーでは受け付けられません。運営者に問い合わせてください。',
  failure: (failure, code) => {
    const { [failure]: text } = {
      denied:
        'サインインが完了しなかったか、許可されていません。もう一度試すか、運営者に問い合わせてください。',
      mismatch: 'このサインインは別のタブで始められたか、古くなっています。もう一度サインインしてください。',
      unreachable: '認証サービスに接続できません。しばらくしてからもう一度試してください。',
      insecure: 'サインインには HTTPS が必要です。https:// で始まるアドレスでこのページを開いてください。',
      failed: `サインインできませんでした${code === undefined ? '' : `（${code}）`}。もう一度試すか、運営者に問い合わせてください。`,
    };
    return text;
  },
};

const TEXTS: Readonly<Record<Language, ProviderTexts>> = { en, ja };

export const useProviderTexts = (): ProviderTexts => TEXTS[useI18n().language];
