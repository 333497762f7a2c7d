/** What the log says of pushes that a push service does not accept, or refuses. */
import { expect, test } from 'vitest';
import { recordingLog } from '../bus/support/bus.ts';
import { startPushService } from './support/pushService.ts';
import { useSends } from './support/sends.ts';

const { sender, service, next } = useSends();

function openLogged(options: Parameters<typeof sender>[0] = {}) {
  const { log, lines } = recordingLog();
  const one = sender({ log, ...options });
  /** Without what each line has. */
  const said = () => lines.map(({ level: _, time: _time, ...line }) => line);
  return { one, said };
}

test.each([400, 401, 403, 413, 302])(
  'a refusal (%i) is logged with the origin and its status',
  async (status) => {
    const { one, said } = openLogged();
    service().respond(() => ({ status, headers: { location: 'https://example.com/elsewhere' } }));
    const delivery = await one.decide(await one.personAt(service()));
    await next(one);
    expect((await one.stored(delivery)).outcome).toBe('FAILED');
    expect(said()).toEqual([
      { origin: service().origin, status, leftOut: 0, msg: 'A push service refused a push' },
    ]);
  },
);

test('refusals are logged once a minute for each status', async () => {
  const { one, said } = openLogged();
  async function refuse(status: number) {
    service().respond(() => ({ status }));
    await one.decide(await one.personAt(service()));
    await next(one);
  }
  const lineOf = (status: number) => expect.objectContaining({ status });
  await refuse(403);
  await refuse(403);
  await refuse(413);
  expect(said()).toEqual([lineOf(403), lineOf(413)]);
  one.clock.advance(60_000);
  await refuse(403);
  expect(said()).toEqual([lineOf(403), lineOf(413), lineOf(403)]);
});

test.each([429, 500, 408])(
  'an overload or a failure (%i) is logged once, and once that it is over',
  async (status) => {
    const { one, said } = openLogged();
    const down = { origin: service().origin, status, msg: expect.stringContaining('does not accept a push') };
    service().respond(() => ({ status }));
    const delivery = await one.decide(await one.personAt(service()));
    await next(one);
    await next(one);
    expect(said()).toEqual([down]);
    service().respond(() => ({ status: 201 }));
    await next(one);
    expect((await one.stored(delivery)).outcome).toBe('SENT');
    expect(said()).toEqual([down, { origin: service().origin, msg: 'A push service accepts pushes again' }]);
  },
);

test('a service that accepts some pushes and not others is logged once a minute', async () => {
  const { one, said } = openLogged();
  for (const status of [429, 201, 429, 201, 429, 201]) {
    service().respond(() => ({ status }));
    await one.decide(await one.personAt(service()));
    await next(one);
  }
  expect(said().map(({ msg }) => msg)).toEqual([
    expect.stringContaining('does not accept a push'),
    'A push service accepts pushes again',
  ]);
});

test('what does not respond in time is logged as that', async () => {
  const { one, said } = openLogged();
  service().respond(() => 'hang');
  await one.decide(await one.personAt(service()));
  await one.runner.look();
  await service().arrived(1);
  one.clock.advance(10_000);
  await one.ended(1);
  expect(said()).toEqual([
    {
      origin: service().origin,
      reason: 'It did not respond in time.',
      msg: expect.stringContaining('does not accept a push'),
    },
  ]);
});

test('a service that cannot be reached has the code of the connection', async () => {
  const gone = await startPushService();
  const { one, said } = openLogged({ services: [gone] });
  const user = await one.personAt(gone);
  await gone.stop();
  await one.decide(user);
  await next(one);
  expect(said()).toEqual([
    { origin: gone.origin, code: 'ECONNREFUSED', msg: expect.stringContaining('does not accept a push') },
  ]);
});

test.each([404, 410])('a browser that is gone (%i) is not a failure', async (status) => {
  const { one, said } = openLogged();
  service().respond(() => ({ status }));
  await one.decide(await one.personAt(service()));
  await next(one);
  expect(said()).toEqual([]);
});
