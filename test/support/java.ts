import { spawnSync } from 'node:child_process';

const JAVA_MIN = 17;

/** Whether there is a Java that DynamoDB Local runs on. */
export function javaForDynamoDbLocal(): boolean {
  const { status, stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' });
  const major = /version "(\d+)/.exec(stderr ?? '')?.[1];
  return status === 0 && Number(major) >= JAVA_MIN;
}
