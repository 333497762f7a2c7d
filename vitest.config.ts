import { defineConfig } from 'vitest/config';
import { relayTags } from './test/clients/support/relayTags.ts';
import { infraPackages } from './test/support/machine/infra.ts';
import { javaForDynamoDbLocal } from './test/support/machine/java.ts';
import { TEST_TIMEOUT_MS } from './test/support/run/budget.ts';
import { LongestFirst } from './test/support/run/longestFirst.ts';
import { partOf } from './test/support/run/parts.ts';

// TEST_DYNAMODB=local runs the tests on DynamoDB Local, as a second opinion; it needs Java.
const local = process.env.TEST_DYNAMODB === 'local';
const runnable = !local || javaForDynamoDbLocal();
// These tests have little to do with the table.
const infra = !local && infraPackages();
const part = partOf(process.env.TEST_PART);

/**
 * Tests that have nothing to do with the table, or that are about the embedded database, and `slowSocket`, which sends
 * more through one socket than DynamoDB Local stores in time. The matrix is about what each user may see, and takes seven
 * minutes there.
 */
const WITHOUT_TABLE = [
  'test/**/*.browser.test.ts',
  'test/**/{embedded*,slowSocket}.test.ts',
  'test/*.test.ts',
  'test/{bus,cli,core,graphql,i18n,matrix,ops,process,scripts,server,web}/**',
];

export default defineConfig({
  plugins: [relayTags()],
  // The file that Node resolves. Vite would load the .mjs file as a second copy next to Yoga's, and Yoga's errors would
  // not be instances of our `GraphQLError`.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: runnable ? part.include : [],
    exclude: [...part.exclude, ...(local ? WITHOUT_TABLE : []), ...(infra ? [] : ['infra/**'])],
    passWithNoTests: !runnable,
    globalSetup: [
      'test/support/machine/inMemory.ts',
      ...(local && runnable ? ['test/support/run/globalSetup.ts'] : []),
    ],
    setupFiles: ['test/support/run/seed.ts'],
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
    testTimeout: TEST_TIMEOUT_MS,
    hookTimeout: TEST_TIMEOUT_MS,
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    // Nothing happens at import, so test files may share modules: twice as fast as importing them for each file.
    isolate: false,
    // On two processors a third one works while the others wait, for a lease or a deadline. DynamoDB Local takes more.
    maxWorkers: local ? 2 : 3,
  },
});
