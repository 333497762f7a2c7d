import { CLIENT } from './page/client.ts';
import { PANES } from './page/panes.ts';
import { STYLE } from './page/style.ts';

export interface DemoToken {
  readonly handle: string;
  readonly name: string;
  readonly token: string;
}

export interface StartPageOptions {
  readonly graphiql: boolean;
  /** Empty outside development. */
  readonly tokens: readonly DemoToken[];
}

/**
 * The page at `/`, all of it in one file that asks for nothing from elsewhere. In development it shows the
 * product at work: two people side by side, each on a websocket of their own. Elsewhere it says where
 * things are.
 */
export const startPage = ({ graphiql, tokens }: StartPageOptions): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tsudoi</title>
<link rel="icon" href="${ICON}">
<style>${STYLE}</style>
</head>
<body>
<header>
<h1><span lang="ja">集い</span>Tsudoi</h1>
<p class="lead">A chat backend: GraphQL with live subscriptions, on DynamoDB Streams and Redis.</p>
</header>
<main>
${tokens.length > 0 ? development(tokens, graphiql) : elsewhere(graphiql)}
</main>
${tokens.length > 0 ? `<script>(() => {${CLIENT}${PANES}})();</script>` : ''}
</body>
</html>`;

const elsewhere = (graphiql: boolean): string => `<p>The API is at <code>/graphql</code>.</p>
<p>${graphiql ? '<a href="/graphql">GraphiQL</a> · ' : ''}<a href="/healthz">Health</a></p>`;

const development = (tokens: readonly DemoToken[], graphiql: boolean): string => `
<div class="panes" data-people="${escaped(JSON.stringify(tokens))}"></div>
${PANE}
<p class="soft">Each pane is a websocket of its own. A message goes into DynamoDB, out through its stream, and
over the bus to whoever is there. The pane you use reads; in the other one the badge rises.</p>
${graphiql ? tryGraphiQL(tokens) : ''}
<h2>From a terminal, in the project's folder</h2>
<pre id="curl">curl -s <span class="origin">http://127.0.0.1:4000</span>/graphql \\
  -H 'content-type: application/json' \\
  -H "authorization: Bearer $(npm run -s token -- aki)" \\
  -d '{ "query": "{ viewer { user { displayName } unread { total rooms { unreadCount room { name } } } } }" }'</pre>
<button class="copy" type="button" data-of="curl">Copy</button>
<h2>Ready-made tokens</h2>
<ul class="tokens">
${tokens.map(tokenRow).join('\n')}
</ul>`;

const PANE = `<template id="pane">
<section class="pane">
<header class="who"><span class="face" aria-hidden="true"></span><h2 class="name"></h2>
<span class="badge total none">0</span><span class="state soft" role="status">connecting …</span></header>
<ul class="rooms" aria-label="Rooms"></ul>
<div class="talk" role="log" aria-label="Messages" tabindex="0"></div>
<form class="say"><input aria-label="Message" placeholder="Open a room first" maxlength="4000"
 autocomplete="off" disabled><button disabled>Send</button></form>
</section>
</template>`;

const tryGraphiQL = (tokens: readonly DemoToken[]): string => `<h2>In GraphiQL</h2>
<p>${tokens
  .map(({ handle, name }) => `<a href="/graphql?as=${escaped(handle)}">as ${escaped(name)}</a>`)
  .join(
    ' · ',
  )}. It opens with a first query, a first subscription and a first message; every field is described.
Run the subscription as one of them and send as the other.</p>`;

const tokenRow = ({ handle, name, token }: DemoToken): string => {
  const id = `token-${escaped(handle)}`;
  return `<li>${escaped(name)} <code id="${id}">${escaped(token)}</code>
<button class="copy" type="button" data-of="${id}" aria-label="Copy the token of ${escaped(name)}">Copy</button></li>`;
};

/** 集, "gather", as the page's mark. */
const ICON =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect width='32' height='32' rx='8' fill='%232b5a88'/><text x='16' y='23' font-size='20' text-anchor='middle' fill='white'>集</text></svg>";

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
