import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const SOURCE = 'web/src';

describe('layers', () => {
  it('every portal of the web client is one of a Layer, where its events end', () => {
    const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\.tsx?$/.test(file),
    );
    const texts = files.map((file) => readFileSync(join(SOURCE, file), 'utf8'));
    const uses = texts.flatMap((text) => text.match(/^.*(\w\.Portal\b|createPortal).*$/gm) ?? []);
    expect(uses.length).toBeGreaterThan(10);
    expect(uses.filter((use) => !/^ *<Layer of=\{\w+\.Portal\}>$/.test(use))).toEqual([]);
  });
});
