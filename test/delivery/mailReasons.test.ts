/** What the log says of mails that are not accepted. */
import { expect, onTestFinished, test } from 'vitest';
import { recordingLog } from '../bus/support/bus.ts';
import { startMailServer } from './support/mailServer.ts';
import { useSends } from './support/sends.ts';

const { sender, next } = useSends();

async function openMailing() {
  const server = await startMailServer({ startTls: false });
  onTestFinished(() => server.stop());
  const { log, lines } = recordingLog();
  const one = sender({ mail: server.config(), log });
  return { server, one, said: () => lines.map(({ level, msg, status }) => [level, status, msg]) };
}
const INFO = 30;
const WARN = 40;

test('a recipient who is greylisted is tried again, and says nothing about the server', async () => {
  const { server, one, said } = await openMailing();
  server.reply('recipient', { code: 450, text: '4.2.0 greylisted' });
  const delivery = await one.decideDigest(await one.readerAt('aki@example.org'));
  await next(one);
  expect(said()).toEqual([[INFO, 450, 'The mail server does not accept a mail for a recipient yet']]);
  server.reply('recipient', 'ok');
  await next(one);
  expect((await one.stored(delivery)).outcome).toBe('SENT');
  expect(said()).toHaveLength(1);
});

test('a server that is busy is logged once, and once that it is over', async () => {
  const { server, one, said } = await openMailing();
  server.reply('connect', { code: 421, text: 'busy' });
  await one.decideDigest(await one.readerAt('aki@example.org'));
  await next(one);
  await next(one);
  server.reply('connect', 'ok');
  await next(one);
  expect(said()).toEqual([
    [WARN, 421, expect.stringContaining('does not accept mails')],
    [INFO, undefined, 'The mail server accepts mails again'],
  ]);
});
