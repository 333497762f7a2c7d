import { describe, expect, it, onTestFinished } from 'vitest';
import type { Api } from '../../../web/src/api/api.ts';
import { ApiError, type FailureCode } from '../../../web/src/api/errors.ts';
import { createOutbox, type Outgoing } from '../../../web/src/composer/outbox.ts';
import type { Message } from '../../../web/src/timeline/message.ts';
import { eventually } from '../../support/time/eventually.ts';
import { held } from '../support/requests.ts';

interface Sent {
  readonly roomId: string;
  readonly body: string;
  readonly idempotencyKey: string;
}

/** The server stores a message, refuses it, or stores it and the answer is lost. */
type Verdict = 'stored' | 'lost' | FailureCode;

/** A server with verdicts by message body, one per attempt. After the last verdict it stores the message. */
function serverThat(verdicts: Readonly<Record<string, readonly Verdict[]>>) {
  const tries: Sent[] = [];
  const stored = new Map<string, string>();
  const mutateUncached = async (_document: unknown, variables: unknown) => {
    const { input } = variables as { input: Sent };
    const verdict =
      verdicts[input.body]?.[tries.filter(({ body }) => body === input.body).length] ?? 'stored';
    tries.push(input);
    if (verdict === 'stored' || verdict === 'lost') stored.set(input.idempotencyKey, input.body);
    if (verdict === 'lost') throw new ApiError('OFFLINE');
    if (verdict !== 'stored')
      throw new ApiError(verdict, { retryAfterMs: verdict === 'RATE_LIMITED' ? 1 : undefined });
    return { sendMessage: { message: { id: input.body } } };
  };
  return { tries, stored, mutateUncached: mutateUncached as unknown as Api['mutateUncached'] };
}

/** An outbox. `wait`: the wait before the next attempt, which is over at once by default. */
function outboxOf(
  { mutateUncached }: Pick<ReturnType<typeof serverThat>, 'mutateUncached'>,
  { kept = new Map<string, string>(), wait = () => Promise.resolve(), isFull = false } = {},
) {
  const arrived: string[] = [];
  const outbox = createOutbox({
    api: { mutateUncached, connection: { backoff: { wait } } },
    storage: {
      getItem: (key) => kept.get(key) ?? null,
      setItem(key, value) {
        if (isFull) throw new DOMException('The storage is full.', 'QuotaExceededError');
        kept.set(key, value);
      },
      removeItem: (key) => kept.delete(key),
    },
    viewerId: 'aki',
  });
  const follower = { onSending: () => () => {}, onSent: (message: Message) => arrived.push(message.id) };
  for (const room of ['tea', 'boat']) outbox.follow(room, follower);
  onTestFinished(() => outbox.stop());
  const refused: string[] = [];
  outbox.onRefused(({ body, why }: Outgoing) => refused.push(`${body}: ${why}`));
  const say = (...bodies: string[]) => {
    for (const body of bodies)
      outbox.send({ roomId: body.split(' ')[0] ?? '', replyTo: null, answered: null, body });
  };
  const left = () => outbox.get().map(({ body, state }) => `${body} ${state}`);
  return { arrived, kept, left, outbox, refused, say };
}

describe('web composer', () => {
  it('outbox: sends messages that the browser cannot keep, because its storage is full', async () => {
    const server = serverThat({ 'tea 2': ['FORBIDDEN'] });
    const { arrived, left, say } = outboxOf(server, { isFull: true });
    say('tea 1', 'tea 2', 'tea 3');
    await eventually(() => expect(left()).toEqual(['tea 2 refused']));
    expect(arrived).toEqual(['tea 1', 'tea 3']);
  });

  it('outbox: sends a room’s messages in the order of writing, each stored once despite retries', async () => {
    const server = serverThat({ 'tea 1': ['OFFLINE', 'UNAVAILABLE', 'lost'], 'tea 2': ['RATE_LIMITED'] });
    const { arrived, left, say } = outboxOf(server);
    say('tea 1', 'tea 2', 'tea 3');
    await eventually(() => expect(left()).toEqual([]));
    expect(arrived).toEqual(['tea 1', 'tea 2', 'tea 3']);
    expect([...server.stored.values()]).toEqual(['tea 1', 'tea 2', 'tea 3']);
    const bodies = server.tries.map(({ body }) => body);
    expect(bodies).toEqual([...Array(4).fill('tea 1'), 'tea 2', 'tea 2', 'tea 3']);
    expect(new Set(server.tries.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3);
  });

  it('outbox: continues after a refusal, reports it once, and sends it again only on retry', async () => {
    const server = serverThat({ 'tea 1': ['FORBIDDEN'] });
    const { arrived, left, outbox, refused, say } = outboxOf(server);
    say('tea 1', 'tea 2');
    await eventually(() => expect(left()).toEqual(['tea 1 refused']));
    expect(refused).toEqual(['tea 1: FORBIDDEN']);
    outbox.retry(outbox.get()[0]?.key ?? '');
    await eventually(() => expect(left()).toEqual([]));
    expect(arrived).toEqual(['tea 2', 'tea 1']);
    const keys = server.tries
      .filter(({ body }) => body === 'tea 1')
      .map(({ idempotencyKey }) => idempotencyKey);
    expect(keys).toEqual([keys[0], keys[0]]);
  });

  it('outbox: sends what was refused because the sign-in had ended after the next sign-in', async () => {
    const server = serverThat({ 'tea 1': ['UNAUTHENTICATED'], 'boat 1': ['FORBIDDEN'] });
    const { kept, left, outbox, say } = outboxOf(server);
    say('tea 1', 'boat 1');
    await eventually(() => expect(left()).toEqual(['tea 1 refused', 'boat 1 refused']));
    outbox.stop();
    const next = outboxOf(server, { kept });
    await eventually(() => expect(next.left()).toEqual(['boat 1 refused']));
    expect([...server.stored.values()]).toEqual(['tea 1']);
  });

  it('outbox: gives up a message after three INTERNAL errors, so that the next ones are sent', async () => {
    const failing = Array<Verdict>(6).fill('INTERNAL');
    const server = serverThat({ 'tea 1': failing, 'tea 2': ['INTERNAL', 'INTERNAL'] });
    const { arrived, left, outbox, refused, say } = outboxOf(server);
    say('tea 1', 'tea 2');
    await eventually(() => expect(left()).toEqual(['tea 1 refused']));
    expect(arrived).toEqual(['tea 2']);
    const tries = () => server.tries.filter(({ body }) => body === 'tea 1').length;
    expect(tries()).toBe(3);
    outbox.retry(outbox.get()[0]?.key ?? '');
    await eventually(() => expect(refused).toEqual(['tea 1: INTERNAL', 'tea 1: INTERNAL']));
    expect(tries()).toBe(6);
  });

  it('outbox: sends rooms independently, and discards a waiting message', async () => {
    const server = serverThat({ 'tea 1': ['OFFLINE'] });
    const gate = held();
    const { arrived, left, outbox, say } = outboxOf(server, { wait: () => gate.promise });
    let sent = 0;
    outbox.onSent(() => sent++);
    say('tea 1', 'tea 2', 'boat 1');
    await eventually(() => expect(left()).toEqual(['tea 1 waiting', 'tea 2 waiting']));
    outbox.discard(outbox.get()[0]?.key ?? '');
    gate.letGo();
    await eventually(() => expect(left()).toEqual([]));
    expect(arrived).toEqual(['boat 1', 'tea 2']);
    expect([...server.stored.values()]).toEqual(['boat 1', 'tea 2']);
    // What was discarded was not sent.
    expect(sent).toBe(2);
  });

  it('outbox: keeps idempotency keys over a reload, so a stored message is not stored again', async () => {
    const server = serverThat({ 'tea 1': ['lost'] });
    const before = outboxOf(server, { wait: () => new Promise(() => {}) });
    before.say('tea 1', 'tea 2');
    await eventually(() => expect([...server.stored.values()]).toEqual(['tea 1']));
    before.outbox.stop();
    const after = outboxOf(server, { kept: before.kept });
    await eventually(() => expect(after.left()).toEqual([]));
    expect(after.arrived).toEqual(['tea 1', 'tea 2']);
    expect([...server.stored.values()]).toEqual(['tea 1', 'tea 2']);
    expect(before.arrived).toEqual([]);
  });
});
