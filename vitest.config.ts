import { defineConfig } from 'vitest/config';
import { javaForDynamoDbLocal } from './test/support/java.ts';

// TEST_DYNAMODB=local runs the same tests on DynamoDB Local, the second opinion; it needs Java.
const local = process.env.TEST_DYNAMODB === 'local';
const runnable = !local || javaForDynamoDbLocal();
if (!runnable)
  process.stderr.write('\nSKIPPED, ALL OF IT: DynamoDB Local needs Java 17, which is not here.\n\n');

export default defineConfig({
  // As Node resolves it: Vite would take its .mjs, a second copy beside the one that Yoga has, whose errors
  // are no `GraphQLError` to us.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: runnable ? ['test/**/*.test.ts'] : [],
    // Those start the database that they test themselves.
    exclude: local ? ['test/dynamo/embedded*'] : [],
    passWithNoTests: !runnable,
    globalSetup: local && runnable ? ['test/support/globalSetup.ts'] : [],
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
    testTimeout: 20_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});
