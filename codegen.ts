import type { CodegenConfig } from '@graphql-codegen/cli';
import { preset as clientPreset } from '@graphql-codegen/client-preset';

/**
 * The client preset, with its files held to the rules of all others: without the comments that turn linters off,
 * and with `unknown` where it writes `any`.
 */
const preset: typeof clientPreset = {
  ...clientPreset,
  async buildGeneratesSection(options) {
    const files = await clientPreset.buildGeneratesSection(options);
    return files.map((file) => ({
      ...file,
      plugins: file.plugins.filter(({ add }) => add?.content !== '/* eslint-disable */'),
      pluginMap: Object.fromEntries(Object.entries(file.pluginMap).map(([name, one]) => [name, strict(one)])),
    }));
  },
};

type Plugin = Awaited<ReturnType<typeof clientPreset.buildGeneratesSection>>[number]['pluginMap'][string];

const strict = (plugin: Plugin): Plugin => ({
  ...plugin,
  async plugin(...args) {
    const output = await plugin.plugin(...args);
    if (typeof output === 'string') return withoutAny(output);
    return { ...output, content: withoutAny(output.content) };
  },
});

const withoutAny = (code: string): string =>
  code
    .replaceAll('documents as any', 'documents as Record<string, unknown>')
    .replaceAll('Record<string, any>', 'Record<string, unknown>');

/** For operations in `.graphql` files, of which the documents are imported: without `graphql()` and its map of all. */
const withoutTags: typeof clientPreset = {
  ...preset,
  buildGeneratesSection: async (options) =>
    (await preset.buildGeneratesSection(options)).filter(({ filename }) => !filename.endsWith('gql.ts')),
};

const options = {
  useTypeImports: true,
  enumsAsTypes: true,
  emitLegacyCommonJSImports: false,
  importExtension: '.ts',
  scalars: { DateTime: 'string', ID: 'string' },
} as const;

/** Makes the types of the operations that the tests and the web client send; `npm run codegen` runs it. */
const config: CodegenConfig = {
  schema: 'schema/schema.graphql',
  ignoreNoDocuments: true,
  generates: {
    'test/generated/': {
      // The recipes for clients have types of their own, as in a project without generated ones.
      documents: ['test/**/*.ts', '!test/generated/**', '!test/clients/recipes/**'],
      preset,
      presetConfig: { fragmentMasking: false, skipIndexFile: true },
      config: { ...options, documentMode: 'string' },
    },
    'web/src/generated/': {
      documents: 'web/src/**/*.graphql',
      preset: withoutTags,
      presetConfig: { fragmentMasking: false, skipIndexFile: true },
      config: options,
    },
  },
};

export default config;
