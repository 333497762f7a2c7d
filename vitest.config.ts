import { defineConfig } from 'vitest/config';
import { javaForDynamoDbLocal } from './test/support/java.ts';

// TEST_DYNAMODB=local runs the same tests on DynamoDB Local, the second opinion; it needs Java.
const local = process.env.TEST_DYNAMODB === 'local';
const runnable = !local || javaForDynamoDbLocal();

/** Tests that DynamoDB Local has nothing to say about: they touch no table, or start the embedded one. */
const WITHOUT_THE_TABLE = [
  'test/bus/**',
  'test/config.test.ts',
  'test/demo/**',
  'test/dynamo/embedded*',
  'test/process/**',
  'test/scripts/**',
  'test/server/**',
];

export default defineConfig({
  // As Node resolves it: Vite would take its .mjs, a second copy beside the one that Yoga has, whose errors
  // are no `GraphQLError` to us.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: runnable ? ['test/**/*.test.ts'] : [],
    exclude: local ? WITHOUT_THE_TABLE : [],
    passWithNoTests: !runnable,
    globalSetup: local && runnable ? ['test/support/globalSetup.ts'] : [],
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
    testTimeout: local ? 60_000 : 20_000,
    hookTimeout: local ? 120_000 : 60_000,
    pool: 'forks',
    // DynamoDB Local does one thing at a time, and takes a core for it.
    maxWorkers: local ? 1 : 2,
  },
});
