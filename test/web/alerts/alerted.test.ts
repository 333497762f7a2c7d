import { expect, it } from 'vitest';
import { createAlerted } from '../../../web/src/alerts/alerted.ts';

it('alerted: is remembered by the page while the storage is full, and stored once there is space', () => {
  const stored = new Map<string, string>();
  let isFull = false;
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem(key: string, value: string) {
      if (isFull) throw new DOMException('The storage is full.', 'QuotaExceededError');
      stored.set(key, value);
    },
  };
  const [page, other] = [createAlerted('aki', storage), createAlerted('aki', storage)];
  page.keep({ at: '1', direct: {} });
  isFull = true;
  page.keep({ at: '2', direct: { lobby: 4 } });
  expect(page.read()).toEqual({ at: '2', direct: { lobby: 4 } });
  expect(other.read()).toEqual({ at: '1', direct: {} });
  isFull = false;
  other.keep({ at: '3', direct: { tea: 1 } });
  expect(page.read()).toEqual({ at: '3', direct: { tea: 1, lobby: 4 } });
  page.keep(page.read());
  expect(other.read()).toEqual(page.read());
});
