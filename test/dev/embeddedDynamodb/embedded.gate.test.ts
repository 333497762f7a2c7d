import { describe, expect, it } from 'vitest';
import { createGate } from '../../../src/dev/embeddedDynamodb/gate.ts';

describe('createGate', () => {
  it('createGate: requests pass at once while it is open', async () => {
    const { gate } = createGate();
    let ran = false;
    const result = gate(async () => {
      ran = true;
      return 7;
    });
    expect(ran).toBe(true);
    expect(await result).toBe(7);
  });

  it('createGate: requests wait while it is closed, and all run when it opens', async () => {
    const { gate, close, open } = createGate();
    close();
    const ran: number[] = [];
    const results = [1, 2, 3].map((n) => gate(async () => ran.push(n)));
    await Promise.resolve();
    expect(ran).toEqual([]);
    open();
    await Promise.all(results);
    expect(ran).toEqual([1, 2, 3]);
  });

  it('createGate: requests that wait longer than the limit fail, and the gate opens', async () => {
    const { gate, close } = createGate({ waitMs: 10 });
    close();
    await expect(gate(async () => 1)).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(await gate(async () => 2)).toBe(2);
    close();
    await expect(gate(async () => 3)).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});
