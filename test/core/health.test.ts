import { expect, test } from 'vitest';
import { createHealth } from '../../src/core/health.ts';
import { recordingLog } from '../bus/support/bus.ts';
import { createTestClock } from '../support/time/clock.ts';

function openHealth() {
  const clock = createTestClock();
  const { log, lines } = recordingLog();
  const health = createHealth({ log, down: 'down', up: 'up', describe: () => ({}), now: clock.now });
  return { clock, health, said: () => lines.map(({ msg, leftOut }) => ({ msg, leftOut })) };
}

test('health: what fails and works in turns is logged once a minute, with the failures that were left out', () => {
  const { clock, health, said } = openHealth();
  const first = [
    { msg: 'down', leftOut: undefined },
    { msg: 'up', leftOut: undefined },
  ];
  for (let i = 0; i < 10; i++) {
    health.failed(undefined);
    health.worked();
    clock.advance(1_000);
  }
  expect(said()).toEqual(first);
  clock.advance(50_000);
  health.failed(undefined);
  health.worked();
  expect(said()).toEqual([...first, { msg: 'down', leftOut: 9 }, { msg: 'up', leftOut: undefined }]);
});

test('health: an outage that goes on is logged when the minute is over', () => {
  const { clock, health, said } = openHealth();
  health.failed(undefined);
  health.worked();
  health.failed(undefined);
  clock.advance(59_999);
  health.failed(undefined);
  expect(said()).toHaveLength(2);
  clock.advance(1);
  health.failed(undefined);
  health.failed(undefined);
  expect(health.good).toBe(false);
  health.worked();
  expect(said().slice(2)).toEqual([
    { msg: 'down', leftOut: 2 },
    { msg: 'up', leftOut: undefined },
  ]);
});
