import type { CodegenConfig } from '@graphql-codegen/cli';

/** Makes the types of the operations that the tests send; `npm run codegen` runs it. */
const config: CodegenConfig = {
  schema: 'schema/schema.graphql',
  documents: ['test/**/*.ts', '!test/generated/**'],
  ignoreNoDocuments: true,
  generates: {
    'test/generated/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: {
        documentMode: 'string',
        useTypeImports: true,
        enumsAsTypes: true,
        emitLegacyCommonJSImports: false,
        importExtension: '.ts',
        scalars: { DateTime: 'string', ID: 'string' },
      },
    },
  },
};

export default config;
