import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WINDOW_MAX_S } from '../../../src/core/deliveryKinds.ts';
import { graphql } from '../../generated/gql.ts';
import type { TestClient } from '../../support/clients/client.ts';
import { startTestApp, type TestApp } from '../../support/servers/app.ts';

const Settings = graphql(`
  query DeliverySettings {
    viewer {
      deliverySettings {
        kinds { kind mode delaySeconds windowSeconds channels }
        quietHours { from to timeZone days }
        pausedUntil
        hideText
      }
    }
  }
`);
const Update = graphql(`
  mutation UpdateDeliverySettings($input: UpdateDeliverySettingsInput!) {
    updateDeliverySettings(input: $input) {
      settings {
        kinds { kind mode delaySeconds windowSeconds channels }
        quietHours { from to timeZone days }
        hideText
      }
    }
  }
`);
const Pause = graphql(`
  mutation PauseDeliveries($until: DateTime) {
    pauseDeliveries(input: { until: $until }) { settings { pausedUntil } }
  }
`);
const SetRoom = graphql(`
  mutation SetRoomDelivery($input: SetRoomDeliveryInput!) {
    setRoomDelivery(input: $input) { membership { delivery muted } }
  }
`);
const Create = graphql(`
  mutation DeliveryRoom { createRoom(input: { name: "Lunch", visibility: PUBLIC }) { room { id } } }
`);

let app: TestApp;
let ben: TestClient;
beforeAll(async () => {
  app = await startTestApp({ role: 'api' });
  ben = await app.as('ben');
});
afterAll(() => app.stop());

const settings = async () => (await ben.do(Settings)).viewer.deliverySettings;
const kind = async (name: string) => (await settings()).kinds.find((one) => one.kind === name);

test('the defaults are those of the operator', async () => {
  expect(await settings()).toMatchObject({ quietHours: null, pausedUntil: null, hideText: false });
  expect(await kind('LIKE')).toEqual({
    kind: 'LIKE',
    mode: 'ON',
    delaySeconds: 3_600,
    windowSeconds: 3_600,
    channels: ['WEB_PUSH', 'WEBHOOK', 'EMAIL'],
  });
});

test('updateDeliverySettings: changes what it names, and null restores the default', async () => {
  const changed = {
    ...({ kind: 'LIKE', delaySeconds: 5, windowSeconds: 60 } as const),
    channels: ['WEBHOOK' as const],
  };
  await ben.do(Update, { input: { kinds: [changed], hideText: true } });
  await ben.do(Update, { input: { kinds: [{ kind: 'STAMP', mode: 'OFF' }] } });
  expect(await kind('LIKE')).toMatchObject({ ...changed, mode: 'ON' });
  expect(await kind('STAMP')).toMatchObject({ mode: 'OFF', delaySeconds: 3_600 });
  expect(await settings()).toMatchObject({ hideText: true });
  await ben.do(Update, { input: { kinds: [{ kind: 'LIKE', delaySeconds: null, channels: null }] } });
  expect(await kind('LIKE')).toMatchObject({ delaySeconds: 3_600, windowSeconds: 60 });
  expect((await kind('LIKE'))?.channels).toHaveLength(3);
});

test('quiet hours: are set, shown and removed', async () => {
  const quietHours = { from: '22:00', to: '06:30', timeZone: 'asia/tokyo' };
  await ben.do(Update, { input: { quietHours } });
  expect((await settings()).quietHours).toEqual({
    from: '22:00',
    to: '06:30',
    timeZone: 'Asia/Tokyo',
    days: ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'],
  });
  await ben.do(Update, { input: { quietHours: { ...quietHours, days: ['FRIDAY', 'MONDAY'] } } });
  expect((await settings()).quietHours?.days).toEqual(['MONDAY', 'FRIDAY']);
  await ben.do(Update, { input: { hideText: false } });
  expect((await settings()).quietHours).not.toBeNull();
  await ben.do(Update, { input: { quietHours: null } });
  expect((await settings()).quietHours).toBeNull();
});

describe('updateDeliverySettings: refuses', () => {
  const quiet = { from: '22:00', to: '06:00', timeZone: 'Asia/Tokyo' };
  test.each([
    ['input.kinds.0.delaySeconds', { kinds: [{ kind: 'LIKE' as const, delaySeconds: -1 }] }],
    ['input.kinds.0.windowSeconds', { kinds: [{ kind: 'LIKE' as const, windowSeconds: WINDOW_MAX_S + 1 }] }],
    ['input.kinds', { kinds: [{ kind: 'LIKE' as const }, { kind: 'LIKE' as const }] }],
    [
      'input.kinds.0.channels',
      { kinds: [{ kind: 'LIKE' as const, channels: ['EMAIL' as const, 'EMAIL' as const] }] },
    ],
    ['input.quietHours', { quietHours: { ...quiet, to: '22:00' } }],
    ['input.quietHours.from', { quietHours: { ...quiet, from: '24:00' } }],
    ['input.quietHours.to', { quietHours: { ...quiet, to: '6:00' } }],
    ['input.quietHours.timeZone', { quietHours: { ...quiet, timeZone: 'Europe/Atlantis' } }],
    ['input.quietHours.days', { quietHours: { ...quiet, days: [] } }],
  ])('%s', async (field, input) => {
    const before = await settings();
    const { errors } = await ben.send(Update, { input: { hideText: true, ...input } });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field });
    expect(await settings()).toEqual(before);
  });
});

test('pauseDeliveries: until a time in the future, at most a year away; null ends it', async () => {
  const until = new Date(Date.now() + 3_600_000).toISOString();
  expect((await ben.do(Pause, { until })).pauseDeliveries.settings.pausedUntil).toBe(until);
  expect((await settings()).pausedUntil).toBe(until);
  for (const wrong of ['2020-01-01T00:00:00.000Z', new Date(Date.now() + 400 * 86_400_000).toISOString()]) {
    expect(await ben.refused(Pause, { until: wrong })).toBe('BAD_USER_INPUT');
  }
  expect((await ben.do(Pause, { until: null })).pauseDeliveries.settings.pausedUntil).toBeNull();
});

test('setRoomDelivery: idempotent, apart from muting, and for members only', async () => {
  const roomId = (await ben.do(Create)).createRoom.room.id;
  for (const delivery of ['MENTIONS', 'MENTIONS', 'NOTHING', 'ALL', 'DEFAULT', 'DEFAULT'] as const) {
    const { membership } = (await ben.do(SetRoom, { input: { roomId, delivery } })).setRoomDelivery;
    expect(membership).toEqual({ delivery, muted: false });
  }
  const chi = await app.as('chi');
  expect(await chi.refused(SetRoom, { input: { roomId, delivery: 'ALL' } })).toBe('FORBIDDEN');
});
