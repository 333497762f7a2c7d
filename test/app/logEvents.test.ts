/** The log lines that alarms are made of, as the program writes them. */
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../src/core/log.ts';
import { LOG_EVENTS } from '../../src/core/logEvents.ts';
import { createDispatcher } from '../../src/stream/dispatcher.ts';
import { isPoison } from '../stream/support/dispatching.ts';
import { createRecorder, insertions } from '../stream/support/stream.ts';
import { watchBadge } from '../support/clients/badges.ts';
import { startTestApp } from '../support/servers/app.ts';
import { eventually } from '../support/time/eventually.ts';

/** A log, and those of its lines that have an event. */
function openLog() {
  const lines: Array<Record<string, unknown>> = [];
  const write = (text: string) => {
    const line: Record<string, unknown> = JSON.parse(text);
    if (line.event !== undefined) lines.push(line);
  };
  return { lines, log: createLog({ level: 'info', to: { write } }) };
}

test('load: a server logs its open websockets and subscriptions', async () => {
  const { log, lines } = openLog();
  const app = await startTestApp({ log, loadMs: 20 });
  onTestFinished(() => app.stop());
  const badge = watchBadge(await app.as('aki'));
  await badge.next();
  await eventually(async () => {
    expect(lines.at(-1)).toMatchObject({ event: LOG_EVENTS.load, sockets: 1, subscriptions: 1 });
  });
});

test('set_aside: the dispatcher logs each dead letter', async () => {
  const { log, lines } = openLog();
  const handler = createRecorder({ fail: isPoison(new Set(['2'])) });
  const dispatcher = createDispatcher({ handlers: [handler], deadLetter: async () => {}, log });
  await dispatcher.dispatch(insertions(3));
  expect(lines).toMatchObject([{ event: LOG_EVENTS.setAside, handler: 'recorder' }]);
});
