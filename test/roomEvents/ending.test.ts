import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestDynamo, type TestDynamo } from '../support/dynamo.ts';
import { createStage, next, type Stage, upTo } from './stage.ts';

let db: TestDynamo;
let stage: Stage;
beforeAll(async () => {
  db = await openTestDynamo();
});
afterAll(() => db.stop());
beforeEach(async () => {
  stage = await createStage(db.dynamo);
  await stage.admit('ben');
});

const count = (n: number) => Array.from({ length: n }, (_, i) => `message ${i + 1}`);

describe('roomEvents: a former member', () => {
  test('receives nothing more, not even what was waiting, and the subscription completes', async () => {
    const events = await stage.open('ben');
    await upTo(events, 'Synced');
    await stage.say('still for Ben');
    await stage.expel('ben');
    await stage.say('not for Ben');
    expect(await upTo(events, 'never')).toEqual(['the end']);
    expect(stage.bus.listening).toBe(0);
  });

  test('receives nothing more of a replay that is under way', async () => {
    await stage.say(...count(100));
    const events = await stage.open('ben', 0);
    expect(await next(events)).toBeDefined();
    await stage.expel('ben');
    await stage.say('not for Ben');
    expect(await upTo(events, 'never')).toEqual(['the end']);
  });

  test('does not end the subscriptions of others: they are checked and continue', async () => {
    await stage.admit('chi');
    const events = await stage.open('ben');
    await upTo(events, 'Synced');
    await stage.expel('chi');
    await stage.say('hello');
    expect(await upTo(events, 'hello')).toEqual(['hello']);
    await events.return?.();
  });

  test('cannot be excluded while the table does not answer, so the subscription completes', async () => {
    const events = await stage.open('ben');
    await upTo(events, 'Synced');
    await stage.expel('chi');
    stage.onRead(() => Promise.reject(new Error('no answer')));
    await stage.say('hello');
    expect(await upTo(events, 'never')).toEqual(['the end']);
  });
});

describe('roomEvents: leaves nothing behind of a subscription', () => {
  test('that the client has closed, whether it waits or not', async () => {
    const [waiting, idle] = [await stage.open('ben'), await stage.open('ben')];
    await upTo(waiting, 'Synced');
    const pending = next(waiting);
    await Promise.all([waiting.return?.(), idle.return?.()]);
    expect(await pending).toBeUndefined();
    expect(stage.bus.listening).toBe(0);
    expect(stage.rooms.size).toBe(0);
  });

  test.each([0, 1])('that was refused because the bus broke before reading number %i', async (moment) => {
    stage.onRead((reading) => {
      if (reading === moment) stage.bus.breakDown();
    });
    await expect(stage.open('ben')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(stage.open('ben')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(stage.bus.listening).toBe(0);
    expect(stage.rooms.size).toBe(0);
  });

  test('by an outsider, or with a cursor that the room has not reached', async () => {
    await expect(stage.open('eve')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(stage.open('ben', 1)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
    expect(stage.bus.listening).toBe(0);
    expect(stage.rooms.size).toBe(0);
  });

  test('that could not read what it has to send', async () => {
    const events = await stage.open('ben');
    await upTo(events, 'Synced');
    stage.onRead(() => Promise.reject(new Error('no answer')));
    await stage.say('hello');
    expect(await upTo(events, 'never')).toEqual(['the end']);
    expect(stage.bus.listening).toBe(0);
  });
});

test('roomEvents: completes at once when the bus breaks down', async () => {
  const events = await stage.open('ben');
  await upTo(events, 'Synced');
  const pending = next(events);
  stage.bus.breakDown();
  expect(await pending).toBeUndefined();
  expect(stage.bus.listening).toBe(0);
});
