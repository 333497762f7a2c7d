import { spawnSync } from 'node:child_process';
import { isHere } from './needs.ts';

const JAVA_MIN = 17;

/** Whether this machine has a Java that DynamoDB Local runs on. */
export function javaForDynamoDbLocal(): boolean {
  const { status, stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' });
  const major = /version "(\d+)/.exec(stderr ?? '')?.[1];
  return isHere(`Java ${JAVA_MIN}`, status === 0 && Number(major) >= JAVA_MIN);
}
