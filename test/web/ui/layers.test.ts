import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const SOURCE = 'web/src';
const LAYER =
  /^ *<Layer of=\{((Menu|Popover)\.Portal\}|(Alert)?Dialog\.Portal\} onBack=\{(open \? )?onClose( : undefined)?\})>$/;

describe('layers', () => {
  it('every portal of the web client is one of a Layer, where its events end; back closes each dialog', () => {
    const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\.tsx?$/.test(file),
    );
    const texts = files.map((file) => readFileSync(join(SOURCE, file), 'utf8'));
    const uses = texts.flatMap((text) => text.match(/^.*(\w\.Portal\b|createPortal).*$/gm) ?? []);
    expect(uses.length).toBeGreaterThan(10);
    expect(uses.filter((use) => !LAYER.test(use))).toEqual([]);
  });
});
