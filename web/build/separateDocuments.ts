import { readFile } from 'node:fs/promises';
import type { DefinitionNode, DocumentNode } from 'graphql';
import type { Plugin } from 'vite';

const GENERATED = '/web/src/generated/graphql.ts';
/** What follows is the name of a document or of a fragment. */
const PART = '?part=';
/** A document is one line of the generated file. */
const DOCUMENT = /^export const (\w+Document) = (.*) as unknown as .*;$/gm;

/**
 * Makes a module of each operation of the generated file, and of each fragment. Otherwise all operations would be
 * loaded with the first one that is needed, also those of dialogs that are loaded late, and each with its own copy of
 * its fragments.
 */
export const separateDocuments = (): Plugin => ({
  name: 'separate-documents',
  apply: 'build',
  enforce: 'pre',
  resolveId: (id) => (id.includes(PART) ? { id, moduleSideEffects: false } : null),
  async load(id) {
    if (id.endsWith(GENERATED)) {
      const code = await readFile(id, 'utf8');
      return code.replace(DOCUMENT, (_, name) => `export { ${name} } from '${id}${PART}${name}';`);
    }
    const [file, part] = id.split(PART);
    if (file === undefined || part === undefined) return null;
    const documents = documentsIn(await readFile(file, 'utf8'));
    const document = documents.get(part);
    if (document !== undefined) return moduleOf(part, document, file);
    const fragment = [...documents.values()].flatMap(fragmentsOf).find((one) => nameOf(one) === part);
    if (fragment !== undefined) return `export const ${part} = ${JSON.stringify(fragment)};`;
    throw new Error(`There is no ${part} in ${file}`);
  },
});

const documentsIn = (code: string): ReadonlyMap<string, DocumentNode> =>
  new Map([...code.matchAll(DOCUMENT)].map(([, name = '', document = '']) => [name, JSON.parse(document)]));

const fragmentsOf = ({ definitions }: DocumentNode) =>
  definitions.filter(({ kind }) => kind === 'FragmentDefinition');

const nameOf = (definition: DefinitionNode): string | undefined =>
  'name' in definition ? definition.name?.value : undefined;

function moduleOf(name: string, document: DocumentNode, file: string): string {
  const fragments = new Set(fragmentsOf(document));
  const imports = [...fragments].map(
    (one) => `import { ${nameOf(one)} } from '${file}${PART}${nameOf(one)}';`,
  );
  const definitions = document.definitions.map((one) =>
    fragments.has(one) ? nameOf(one) : JSON.stringify(one),
  );
  return `${imports.join('\n')}\nexport const ${name} = { kind: 'Document', definitions: [${definitions}] };`;
}
