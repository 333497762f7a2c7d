import type { Plugin } from 'vite';

const MARKED = /\/node_modules\/marked\/lib\/marked\.esm\.js$/;

/** What the page imports. */
const USED = ['Lexer', 'Tokenizer'];

/**
 * Leaves out `marked`'s HTML renderer, a quarter of the package, because the page uses its lexer only. The end of the
 * module, which begins with the class `Marked`, creates an instance of everything, so no bundler drops it by itself.
 */
export const onlyLexer = (): Plugin => ({
  name: 'only-lexer',
  apply: 'build',
  transform: {
    filter: { id: MARKED },
    handler(code) {
      const { body } = this.parse(code);
      const locals = new Map(
        body
          .flatMap((node) => (node.type === 'ExportNamedDeclaration' ? node.specifiers : []))
          .map(({ local, exported }) => [nameOf(exported), nameOf(local)]),
      );
      const instance = locals.get('Marked');
      const end = body.find(
        (node) =>
          node.type === 'VariableDeclaration' && node.declarations.some(({ id }) => nameOf(id) === instance),
      );
      if (end === undefined) throw new Error('There is no class Marked in marked.');
      const names = USED.map((name) => `${locals.get(name)} as ${name}`);
      return { code: `${code.slice(0, end.start)};export { ${names.join(', ')} };`, map: null };
    },
  },
});

const nameOf = (node: { readonly type: string; readonly name?: unknown }): string | undefined =>
  node.type === 'Identifier' ? String(node.name) : undefined;
