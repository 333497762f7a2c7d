import { IntlMessageFormat } from 'intl-messageformat';
import { type Plugin, runnerImport } from 'vite';

const LANGUAGE = /\/web\/src\/i18n\/([a-z]{2})\.ts$/;
const PARSER = '@formatjs/icu-messageformat-parser';

/** A text without this is shown as it is. The page needs no parser for it (`web/src/i18n/i18n.ts`). */
const SYNTAX = /['{<]/;

/** Parses the texts of each language when the page is built: the parser of ICU messages is 7 kB. */
export const compiledTexts = (): Plugin => ({
  name: 'compiled-texts',
  apply: 'build',
  // The package has this module for texts that are parsed already.
  config: () => ({
    resolve: { alias: [{ find: new RegExp(`^${PARSER}$`), replacement: `${PARSER}/no-parser.js` }] },
  }),
  async load(id) {
    const language = LANGUAGE.exec(id)?.[1];
    if (language === undefined) return null;
    const { module } = await runnerImport<{ readonly default: Readonly<Record<string, string>> }>(id);
    const compiled = Object.entries(module.default).map(([key, text]) => [
      key,
      SYNTAX.test(text) ? new IntlMessageFormat(text, language).getAst() : text,
    ]);
    return { code: `export default ${JSON.stringify(Object.fromEntries(compiled))}`, map: null };
  },
});
