import { UNSUBSCRIBE_PATH, type Unsubscribing } from '../delivery/channels/email/unsubscribing.ts';
import { bestLanguage, type Language } from '../i18n/language.ts';
import { createWording, type Messages } from '../i18n/wording.ts';
import type { Routes } from '../server/http/httpListener.ts';
import { createPage, sendPage } from '../server/http/pages.ts';

type State = 'ASK' | 'DONE' | 'UNKNOWN';
type Name = `${State}_TITLE` | `${State}_TEXT` | 'BUTTON' | 'SETTINGS';

const en: Messages<Name> = {
  ASK_TITLE: 'Stop the mails?',
  ASK_TEXT: 'Tsudoi will send no more of these mails to the address that this one went to.',
  BUTTON: 'Stop the mails',
  DONE_TITLE: 'That address gets no more mails',
  DONE_TEXT:
    'Tsudoi sends no more of these mails to the address that this one went to. Mails to another one that you chose since go on: see the settings.',
  UNKNOWN_TITLE: 'This link is not complete',
  UNKNOWN_TEXT: 'Open the link in the mail once more, or turn the mails off in the settings.',
  SETTINGS: 'Open the settings',
};

const ja: Messages<Name> = {
  ASK_TITLE: 'メールの配信を停止しますか？',
  ASK_TEXT: 'このメールが届いたアドレスには、未読のお知らせのメールを送信しなくなります。',
  BUTTON: '配信を停止する',
  DONE_TITLE: 'このアドレスへの配信を停止しました',
  DONE_TEXT:
    'メールが届いたアドレスには、未読のお知らせのメールを送信しません。その後に別のアドレスを選んだ場合、そちらへの配信は続きます。設定で確認・変更できます。',
  UNKNOWN_TITLE: 'リンクが正しくありません',
  UNKNOWN_TEXT: 'メールのリンクをもう一度開くか、設定でメールをオフにしてください。',
  SETTINGS: '設定を開く',
};

const wording = createWording({ en, ja });

/**
 * Ends digests without signing in: https://www.rfc-editor.org/rfc/rfc8058. Mail programs post to the link. Browsers get
 * a page with a button, because programs that look into mails open all links.
 */
export const unsubscribeRoutes = (unsubscribing: Unsubscribing): Routes => ({
  [`${UNSUBSCRIBE_PATH}/*`]: async (request, response) => {
    const signed = (request.url ?? '').split('?', 1)[0]?.slice(UNSUBSCRIBE_PATH.length + 1) ?? '';
    // What is posted says nothing that the link does not say.
    request.resume();
    const isPost = request.method === 'POST';
    const isKnown = await (isPost ? unsubscribing.unsubscribe(signed) : unsubscribing.isValid(signed));
    const state = !isKnown ? 'UNKNOWN' : isPost ? 'DONE' : 'ASK';
    const page = await createPage(htmlOf(state, bestLanguage(request.headers['accept-language'])), 'form');
    response.appendHeader('vary', 'accept-language');
    sendPage(request, response, page, isKnown ? 200 : 404);
  },
});

/** It posts to its own address. */
function htmlOf(state: State, language: Language): string {
  const text = (name: Name) => wording(language, name);
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${text(`${state}_TITLE`)} – Tsudoi</title>
<style>
:root { color-scheme: light dark; font: 1rem/1.6 system-ui, sans-serif; }
main { max-width: 32rem; margin: 15vh auto 0; padding: 0 1rem; }
h1 { font-size: 1.5rem; }
button { font: inherit; padding: 0.5rem 1rem; cursor: pointer; }
</style>
</head>
<body>
<main>
<h1>${text(`${state}_TITLE`)}</h1>
<p>${text(`${state}_TEXT`)}</p>
${state === 'ASK' ? `<form method="post"><button>${text('BUTTON')}</button></form>` : `<p><a href="/settings/notifications">${text('SETTINGS')}</a></p>`}
</main>
</body>
</html>
`;
}
