/** Digests under random acts, against a list of what is unread. */
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { DIGEST_SECONDS } from '../../src/delivery/settings/settings.ts';
import { budget } from '../support/run/budget.ts';
import { seed } from '../support/run/seed.ts';
import { openDeliverySystem, type Person } from './support/deliverySystem.ts';
import { type MailServer, type Reply, startMailServer } from './support/mailServer.ts';

const { numRuns, timeout, within } = budget({ runs: 2, seconds: 20 });
const ROOMS = ['Tea', 'Lunch', 'Dinner'] as const;
type Room = (typeof ROOMS)[number];
const DAY = 86_400;

type Act =
  | { readonly type: 'mention'; readonly room: Room }
  | { readonly type: 'pass'; readonly minutes: number }
  | { readonly type: 'server'; readonly reply: 'ok' | 'later' | 'lost' }
  | { readonly type: 'readAll' | 'off' | 'on' | 'mute' | 'unmute' };

const REPLIES: Readonly<Record<'ok' | 'later' | 'lost', Reply>> = {
  ok: 'ok',
  lost: 'close',
  later: { code: 451, text: '4.3.0 later' },
};

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('mention'), room: fc.constantFrom(...ROOMS) }) },
  {
    weight: 6,
    arbitrary: fc.record({ type: fc.constant('pass'), minutes: fc.integer({ min: 1, max: 40 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('server'), reply: fc.constantFrom('ok', 'later', 'lost') }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constantFrom('readAll', 'off', 'on', 'mute', 'unmute'),
    }),
  },
);

test('a mail names what is unread and nothing else, all of it is named, and there is one in each interval', {
  timeout,
}, async () => {
  const server = await startMailServer({ startTls: false });
  onTestFinished(() => server.stop());
  const system = await openDeliverySystem({ mail: server.config() });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('MINUTES_15', 'HOURLY'),
      fc.array(act, { minLength: 10, maxLength: 25 }),
      within((digest, acts) => run({ server, system }, digest, acts)),
    ),
    { numRuns, seed, endOnFailure: true },
  );
});

interface Parts {
  readonly server: MailServer;
  readonly system: Awaited<ReturnType<typeof openDeliverySystem>>;
}

/** With new people, because the clock only goes on. */
async function run(
  { server, system }: Parts,
  emailDigest: 'MINUTES_15' | 'HOURLY',
  acts: readonly Act[],
): Promise<void> {
  const { services, settings, reading, pass, consume, now } = system;
  const first = server.mails.length;
  server.reply('data', 'ok');
  const [aki, ben] = (await Promise.all([system.create('Aki'), system.create('Ben')])) as [Person, Person];
  const rooms = new Map<Room, string>();
  for (const name of ROOMS) rooms.set(name, await system.room(name, ben, aki));
  const on = () =>
    settings.change(aki.id, { emailDigest, email: { address: 'aki@example.org', tokenAt: 0 } });
  await on();
  await pass(0);

  const unread = new Set<Room>();
  /** What has to be in a mail, unless it is read or muted before. */
  const owed = new Set<Room>();
  let [isOn, isMuted, seen] = [true, false, first];

  /** Checks the mails that came since. Nothing else has happened meanwhile. */
  function check(): void {
    for (const { html } of server.mails.slice(seen)) {
      const named = ROOMS.filter((room) => html.includes(`<strong>${room}</strong>`));
      expect(named.length).toBeGreaterThan(0);
      for (const room of named) {
        expect(unread).toContain(room);
        owed.delete(room);
      }
      expect(isOn).toBe(true);
      expect(isMuted && named.includes('Tea')).toBe(false);
    }
    seen = server.mails.length;
  }

  async function perform(one: Act): Promise<void> {
    if (one.type === 'mention') {
      await services.messages.send({
        author: ben.id,
        room: rooms.get(one.room) ?? '',
        body: `@${aki.handle} Look!`,
      });
      await consume();
      unread.add(one.room);
      if (isOn && !(isMuted && one.room === 'Tea')) owed.add(one.room);
    } else if (one.type === 'pass') await pass(one.minutes * 60);
    else if (one.type === 'server') {
      server.reply('data', REPLIES[one.reply]);
    } else if (one.type === 'readAll') {
      await reading.markAllRead(aki.id);
      unread.clear();
      owed.clear();
    } else if (one.type === 'off') {
      await settings.change(aki.id, { emailDigest: 'NEVER' });
      isOn = false;
      owed.clear();
    } else if (one.type === 'on') {
      await on();
      isOn = true;
    } else {
      isMuted = one.type === 'mute';
      await settings.setRoom(aki.id, rooms.get('Tea') ?? '', isMuted ? 'NOTHING' : null);
      owed.delete('Tea');
    }
    await pass(0);
    check();
  }

  for (const one of acts) await perform(one);
  server.reply('data', 'ok');
  for (let i = 0; i < 8; i++) {
    await pass(1_800);
    check();
  }
  expect([...owed]).toEqual([]);

  const firsts = new Map<string, number>();
  for (const { headers } of server.mails.slice(first)) {
    const id = headers.get('message-id') ?? '';
    firsts.set(id, firsts.get(id) ?? Date.parse(headers.get('date') ?? ''));
  }
  const times = [...firsts.values()].sort((a, b) => a - b);
  times.forEach((time, i) => {
    const gap = i === 0 ? DAY : (time - (times[i - 1] ?? 0)) / 1_000;
    // A mail's date is in whole seconds.
    expect(gap).toBeGreaterThanOrEqual(DIGEST_SECONDS[emailDigest] - 1);
  });
  expect(times.every((time) => time <= now())).toBe(true);
}
