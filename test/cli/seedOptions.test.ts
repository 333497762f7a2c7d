import { expect, test } from 'vitest';
import { Refusal, Usage } from '../../src/cli/command/run.ts';
import { parseSeedOptions } from '../../src/cli/command/seedOptions.ts';

const NOW = Date.parse('2026-03-02T12:34:56Z');

test('seed: the defaults are those of the README, up to the start of today', () => {
  expect(parseSeedOptions([], NOW)).toEqual({
    rooms: 20,
    people: 500,
    messages: 100_000,
    seed: 'tsudoi',
    until: Date.parse('2026-03-02T00:00:00Z'),
    join: ['aki', 'ben'],
    table: undefined,
    shape: undefined,
  });
});

test('seed: every option can be set', () => {
  const args =
    '--rooms 2 --people 3 --messages 4 --seed x --until 2026-03-01T10:00+09:00 --join chie --table t --shape 1';
  expect(parseSeedOptions(args.split(' '), NOW)).toEqual({
    rooms: 2,
    people: 3,
    messages: 4,
    seed: 'x',
    join: ['chie'],
    table: 't',
    shape: 1,
    until: Date.parse('2026-03-01T01:00:00Z'),
  });
  expect(parseSeedOptions(['--join', ''], NOW).join).toEqual([]);
});

test.each([
  ['--rooms', '0', '--rooms must be a whole number from 1 to 10000.'],
  ['--rooms', '-1', "Option '--rooms' argument is ambiguous"],
  ['--people', '1', '--people must be a whole number from 2 to 100000.'],
  ['--messages', '1e5', '--messages must be a whole number from 0 to 10000000.'],
  ['--messages', '10000001', '--messages must be'],
  [
    '--until',
    '2026-03-03',
    '--until must be a date such as 2026-01-31, or an RFC 3339 time, and not in the future.',
  ],
  ['--until', '2026-02-31T25:00Z', '--until must be'],
  ['--until', 'yesterday', '--until must be'],
  ['--shape', '3', '--shape must be one of those that this release knows: 1, 2.'],
  ['--sed', 'x', "Unknown option '--sed'"],
])('seed: %s %s is refused', (name, value, message) => {
  expect(() => parseSeedOptions([name, value], NOW)).toThrow(message);
});

test('seed: prints its help with --help, which is not a mistake', () => {
  expect(() => parseSeedOptions(['--help'], NOW)).toThrow(Usage);
  expect(() => parseSeedOptions(['--rooms', 'x'], NOW)).toThrow(Refusal);
});
