export interface DemoToken {
  readonly name: string;
  readonly token: string;
}

export interface StartPageOptions {
  readonly graphiql: boolean;
  /** Empty outside development. */
  readonly tokens: readonly DemoToken[];
}

/** The page at `/`: where things are, and who one can be. */
export const startPage = ({ graphiql, tokens }: StartPageOptions): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Tsudoi</title>
<h1>Tsudoi</h1>
${graphiql ? '<p><a href="/graphql">GraphiQL</a></p>' : ''}
${tokens.map(({ name, token }) => `<h2>${escaped(name)}</h2><pre>${escaped(token)}</pre>`).join('\n')}
</html>`;

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
