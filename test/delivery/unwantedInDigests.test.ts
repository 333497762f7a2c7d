/** A digest leads to no further one about what was not wanted when it happened. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EmailDigest } from '../../src/delivery/settings/settings.ts';
import { openDigestScenario, partsOf } from './support/digestScenario.ts';
import { type MailServer, startMailServer } from './support/mailServer.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;

let server: MailServer;
beforeEach(async () => {
  server = await startMailServer({ startTls: false });
});
afterEach(() => server.stop());

const openScenario = (emailDigest?: EmailDigest) => openDigestScenario(server, emailDigest);

describe('what happened in a room while nothing of it was wanted is in no later one', () => {
  test('messages of a direct room that was muted', async () => {
    const { aki, ben, say, like, settings, services, pass } = await openScenario();
    const { id: direct } = await services.rooms.openDirect(ben.id, [aki.id]);
    await say(ben, 'Hi.', direct);
    await pass(HOUR);
    expect(server.mails.map(partsOf)).toEqual([['Ben: Ben wrote to you']]);
    await settings.setRoom(aki.id, direct, 'NOTHING');
    await say(ben, 'Nothing for a mail.', direct);
    await pass(2 * DAY);
    await settings.setRoom(aki.id, direct, null);
    await like(ben);
    await pass(DAY);
    expect(server.mails.slice(1).map(partsOf)).toEqual([['Lunch: Ben liked your message']]);
  });

  test('messages from before someone chose all of them again', async () => {
    const { aki, ben, say, like, settings, room, pass, openTimers } = await openScenario();
    await settings.setRoom(aki.id, room, 'ALL');
    await say(ben, 'Hi.');
    await pass(HOUR);
    expect(server.mails.map(partsOf)).toEqual([['Lunch: Ben posted']]);
    await settings.setRoom(aki.id, room, null);
    await say(ben, 'Nothing for a mail.');
    await pass(HOUR);
    await settings.setRoom(aki.id, room, 'ALL');
    await like(ben);
    await pass(HOUR);
    expect(server.mails.slice(1).map(partsOf)).toEqual([['Lunch: Ben liked your message']]);
    expect(await openTimers()).toEqual([]);
  });

  test('also when the timer of a longer interval from before is due', async () => {
    const { aki, ben, say, choose, settings, services, pass, openTimers } = await openScenario('DAILY');
    const { id: direct } = await services.rooms.openDirect(ben.id, [aki.id]);
    await say(ben, 'Hi.', direct);
    await pass(HOUR);
    await choose(aki, 'MINUTES_15');
    await pass(HOUR);
    expect(server.mails.map(partsOf)).toEqual([['Ben: Ben wrote to you']]);
    await settings.setRoom(aki.id, direct, 'NOTHING');
    await say(ben, 'Nothing for a mail.', direct);
    await pass(HOUR);
    await settings.setRoom(aki.id, direct, null);
    expect(await openTimers()).not.toEqual([]);
    await pass(2 * DAY);
    expect(server.mails).toHaveLength(1);
  });
});
