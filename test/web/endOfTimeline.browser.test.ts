import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { encodeId } from '../../src/graphql/ids.ts';
import type { MessageKey } from '../../src/messages/message.ts';
import { browserAvailable } from '../support/clients/browser.ts';
import { useBrowser } from '../support/clients/windows.ts';
import { budget } from '../support/run/budget.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { comesTo, composerOf, message, type Opening, open, startWeb } from './support/pages.ts';
import { belowOf, type Stays, watchPlace, wheel } from './support/places.ts';
import { delay, held } from './support/requests.ts';

const LONG = Array.from({ length: 40 }, (_, line) => `Line ${line} of a long message.`).join('\n');
const HISTORY = 60;

interface Step {
  readonly what: 'say' | 'edit' | 'delete' | 'stamp' | 'like' | 'write' | 'resize';
  readonly text: string;
  readonly pick: number;
}

/** Bodies of very different heights: words, lines, code that is highlighted later, large emoji, pictures as stamps. */
const TEXT = fc.oneof(
  fc.integer({ min: 0, max: 150 }).map((words) => 'word '.repeat(words)),
  fc.integer({ min: 0, max: 30 }).map((lines) => 'line\n'.repeat(lines)),
  fc.integer({ min: 1, max: 20 }).map((lines) => `\n\`\`\`ts\n${'const one = 1;\n'.repeat(lines)}\`\`\``),
  fc.constant('\n\n- [ ] a\n- [x] b\n\n> c'),
);
const WHAT = ['say', 'say', 'say', 'edit', 'delete', 'stamp', 'like', 'write', 'resize'] as const;
const STEP: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom(...WHAT),
  text: TEXT,
  pick: fc.nat(99),
});
const STAMPS = ['clap', 'cake', 'coffee', 'eyes'];

describe.skipIf(!browserAvailable)('web, the end of the timeline', () => {
  const browser = useBrowser();
  let app: TestApp;
  let ben: string;
  beforeAll(async () => {
    app = await startWeb();
    ben = app.services.users.idOf('ben');
  });
  afterAll(() => app?.stop());

  /** A public room of Ben and Aki with a history, and its raw id. */
  async function roomWith(name: string): Promise<string> {
    const made = { name, topic: null, visibility: 'PUBLIC', capacity: null } as const;
    const { id } = await app.services.rooms.create(ben, made);
    await app.services.rooms.join(app.services.users.idOf('aki'), id);
    for (let at = 0; at < HISTORY; at++) await say(id, `Before ${at}.`);
    await app.services.readPositions.markRead(app.services.users.idOf('aki'), id);
    return id;
  }
  const say = (room: string, body: string) => app.services.messages.send({ room, author: ben, body });
  const openIn = async (room: string, other: Partial<Opening> = {}): Promise<Page> => {
    const path = `/rooms/${encodeURIComponent(encodeId('Room', room))}`;
    const { page } = await open({ browser: browser(), url: app.url, as: 'aki', path, ...other });
    await message(page, `Before ${HISTORY - 1}.`).waitFor();
    await comesTo(() => belowOf(page), 0);
    return page;
  };

  it('end: stays in view while long messages are sent slowly, and while some wait for the connection', async () => {
    const page = await openIn(await roomWith('Slow'), { fresh: {} });
    const { promise, letGo } = held();
    await delay(page, 'SendMessage', promise);
    const stop = await watchPlace(page, 'at the end');
    for (const text of [LONG, 'And one more.']) {
      await composerOf(page).fill(text);
      await composerOf(page).press('Enter');
      await page.getByText(text.slice(0, 12)).last().waitFor();
    }
    await page.getByText('Sending…').first().waitFor();
    letGo();
    await message(page, 'And one more.').waitFor();
    expect(await stop()).toEqual([]);

    await page.context().setOffline(true);
    await page.getByText('Connection lost').waitFor();
    const stopOffline = await watchPlace(page, 'at the end');
    for (const text of ['One from the tunnel', `Two from the tunnel\n${LONG}`, 'Three from the tunnel']) {
      await composerOf(page).fill(text);
      await composerOf(page).press('Enter');
    }
    await page.getByText('Waiting for the connection').last().waitFor();
    await page.context().setOffline(false);
    await message(page, 'Three from the tunnel').waitFor();
    expect(await stopOffline()).toEqual([]);
    expect(await page.getByRole('button', { name: 'Jump to newest' }).count()).toBe(0);
  });

  it('end: is left by the first pixel of scrolling up, also while messages arrive, and reached again', async () => {
    const room = await roomWith('Flood');
    const page = await openIn(room);
    const flood = async (name: string) => {
      for (let at = 0; at < 40; at++)
        await say(room, `${name} ${at}. ${'And so on. '.repeat((at * 7) % 60)}`);
    };
    const stopAtEnd = await watchPlace(page, 'at the end');
    await flood('First');
    await message(page, 'First 39.').waitFor();
    expect(await stopAtEnd()).toEqual([]);

    const flooded = flood('Second');
    // Slower than the messages push the end away.
    for (let step = 0; step < 12; step++) await wheel(page, -6);
    // On a slow machine the messages may have ended, and a few pixels from the end are still the end.
    await wheel(page, -60);
    const stopInPlace = await watchPlace(page, 'in place');
    await flooded;
    await page
      .getByText(/Second 39\./)
      .last()
      .waitFor({ state: 'attached' });
    expect(await stopInPlace()).toEqual([]);
    await page.getByRole('button', { name: 'Jump to newest' }).click();
    await message(page, 'Second 39.').waitFor();
    await comesTo(() => belowOf(page), 0);
    const stop = await watchPlace(page, 'at the end');
    await say(room, `Last.\n${LONG}`);
    await message(page, 'Last.').waitFor();
    expect(await stop()).toEqual([]);
  });

  it('end: what comes above the screen while the reader follows it counts as read, and what was missed does not', async () => {
    const room = await roomWith('Fast');
    const page = await openIn(room);
    const unread = async () => {
      const { rooms } = await app.services.unread.state(app.services.users.idOf('aki'));
      return rooms.find(({ membership }) => membership.room === room)?.unreadCount ?? 0;
    };
    const earlier = Date.now();
    const config = { tableName: 'demo' };
    const behind = await startTestApp({ database: app.database, role: 'api', now: () => earlier, config });
    onTestFinished(() => behind.stop());
    for (let at = 0; at < 8; at++) await say(room, `Tall ${at}.\n${'line\n'.repeat(12)}`);
    await message(page, 'Tall 7.').waitFor();
    await comesTo(unread, 0);
    await behind.services.messages.send({ room, author: ben, body: 'From a clock that is behind.' });
    await say(room, 'The next one.');
    await message(page, 'The next one.').waitFor();
    await comesTo(unread, 0);

    // What was missed has not passed the screen. It is read like everything else: those that are shown, and nothing
    // after them.
    await page.context().setOffline(true);
    await page.getByText('Connection lost').waitFor();
    for (let at = 0; at < 12; at++) await say(room, `Missed ${at}.\n${'line\n'.repeat(12)}`);
    await app.quiet();
    await page.context().setOffline(false);
    await message(page, 'Missed 11.').waitFor();
    await page.getByRole('button', { name: 'Jump to first unread' }).click();
    await message(page, 'Missed 0.').waitFor();
    const isPartlyRead = async () => {
      const left = await unread();
      return left > 5 && left < 12;
    };
    await comesTo(isPartlyRead, true);
  });

  const { numRuns, timeout, within } = budget({ runs: 4, seconds: 12 });
  it(
    'place: is kept while messages of any height come, grow, shrink and go, at any speed',
    async () => {
      const room = await roomWith('Any');
      const page = await openIn(room);
      const sent: MessageKey[] = [];
      let count = 0;
      const bodies = new Map<MessageKey, string>();
      const change = async ({ what, text, pick }: Step, stays: Stays): Promise<void> => {
        const { messages, stamps, likes } = app.services;
        const chosen = sent.at(-1 - (pick % 12));
        const gone = () => undefined;
        if (what === 'say' || chosen === undefined) {
          const body = `Number ${count++}. ${text}`;
          const message = await say(room, body);
          bodies.set(message, body);
          sent.push(message);
        } else if (what === 'edit') {
          // Less content than the reader has scrolled past would bring them to the end.
          const kept = stays === 'in place' ? bodies.get(chosen) : 'Edited.';
          const body = `${kept} ${text}`.slice(0, 3_000);
          bodies.set(chosen, body);
          await messages.edit(ben, chosen, body).catch(gone);
        } else if (what === 'delete' && stays === 'at the end')
          await messages.remove(ben, chosen).catch(gone);
        else if (what === 'stamp') await stamps.add(ben, chosen, STAMPS[pick % 4] ?? '').catch(gone);
        else if (what === 'like') await likes.add(ben, chosen).catch(gone);
        else if (what === 'write') await composerOf(page).fill(text);
        else if (what === 'resize')
          await page.setViewportSize({ width: 1100 + (pick % 5) * 40, height: 500 + (pick % 7) * 40 });
      };
      await fc.assert(
        fc.asyncProperty(
          fc.array(STEP, { minLength: 4, maxLength: 14 }),
          fc.constantFrom<Stays>('at the end', 'in place'),
          fc.integer({ min: 700, max: 1_300 }),
          fc.boolean(),
          within(async (steps, stays, distance, isFast) => {
            const toNewest = page.getByRole('button', { name: 'Jump to newest' });
            if ((await toNewest.count()) > 0) await toNewest.click();
            await comesTo(() => belowOf(page), 0);
            if (stays === 'in place') await wheel(page, -distance);
            const stop = await watchPlace(page, stays);
            const changes = [];
            for (const step of steps) {
              const changed = change(step, stays);
              if (isFast) changes.push(changed);
              else await changed;
            }
            await Promise.all(changes);
            // A change of this room arrives after all that were made before it.
            await say(room, `Done ${count}.`);
            await page.getByText(`Done ${count++}.`).first().waitFor({ state: 'attached' });
            expect(await stop()).toEqual([]);
          }),
        ),
        { numRuns, endOnFailure: true },
      );
    },
    timeout,
  );
});
