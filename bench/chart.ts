/**
 * `npm run bench:chart` draws `docs/images/benches.svg` from the last results: bars of the server's CPU, shorter is
 * better. The colours follow the reader's choice of light or dark.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Result, readResults } from './results.ts';

const OUTPUT = fileURLToPath(new URL('../docs/images/benches.svg', import.meta.url));

interface Bar {
  readonly name: string;
  /** Microseconds of CPU. */
  readonly micros: number;
}

interface Group {
  readonly title: string;
  readonly bars: readonly Bar[];
}

/** A column of a bench's table, as bars in the order of the table. */
function bars(result: Result | undefined, { name, value }: { name: string; value: string }): Bar[] {
  return (result?.rows ?? []).flatMap((row) => {
    const micros = row[value];
    // The last rows of a table are ratios.
    const isRatio = String(row[name]).includes(' / ');
    return typeof micros === 'number' && !isRatio ? [{ name: String(row[name]), micros }] : [];
  });
}

/** Columns of one row of a bench's table, as bars. */
function columns(result: Result | undefined, query: string, names: Readonly<Record<string, string>>): Bar[] {
  const row = result?.rows.find((one) => one.query === query);
  return Object.entries(names).flatMap(([column, name]) => {
    const micros = row?.[column];
    return typeof micros === 'number' ? [{ name, micros }] : [];
  });
}

const LABELS_PX = 210;
const BARS_PX = 400;
const WIDTH_PX = LABELS_PX + BARS_PX + 90;
const LINE_PX = 24;
const TITLE_PX = 40;

const STYLE = `
text { font: 13px system-ui, sans-serif; fill: #1f2328; }
.title { font-weight: 600; }
.note { fill: #656d76; font-size: 12px; }
.bar { fill: #b6bec8; }
.ours { fill: #3d6fd9; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .note { fill: #9198a1; }
  .bar { fill: #57606a; }
  .ours { fill: #6f9bff; }
}`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function drawn(groups: readonly Group[], note: string): string {
  const lines: string[] = [];
  let y = 0;
  for (const { title, bars } of groups) {
    y += TITLE_PX;
    lines.push(`<text class="title" x="0" y="${y - 12}">${escaped(title)}</text>`);
    const longest = Math.max(...bars.map(({ micros }) => micros));
    for (const { name, micros } of bars) {
      const width = Math.max(2, Math.round((micros / longest) * BARS_PX));
      const kind = name.startsWith('Tsudoi') ? 'bar ours' : 'bar';
      lines.push(
        `<text x="${LABELS_PX - 10}" y="${y + 15}" text-anchor="end">${escaped(name)}</text>`,
        `<rect class="${kind}" x="${LABELS_PX}" y="${y + 2}" width="${width}" height="17" rx="3"/>`,
        `<text x="${LABELS_PX + width + 8}" y="${y + 15}">${micros >= 100 ? Math.round(micros) : micros} µs</text>`,
      );
      y += LINE_PX;
    }
  }
  y += 26;
  lines.push(`<text class="note" x="0" y="${y - 6}">${escaped(note)}</text>`);
  const names = groups.map(({ title }) => title).join('; ');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH_PX} ${y}" width="${WIDTH_PX}" height="${y}" role="img">`,
    `<title>${escaped(names)}</title>`,
    `<style>${STYLE}</style>`,
    ...lines,
    '</svg>',
    '',
  ].join('\n');
}

const results = readResults();
const { queries, 'fanOut/messages': messages, startup } = results;
const pageGroup = (row: string) => ({
  title: `CPU of ${row} (the peers answer from memory)`,
  bars: columns(queries, row, {
    'Mercurius, µs': 'Mercurius with graphql-jit',
    'Yoga from memory, µs': 'Yoga',
    'Apollo, µs': 'Apollo',
    'Tsudoi, µs': 'Tsudoi, which reads the table',
  }),
});
const groups = [
  {
    title: 'CPU to push a message to a reader, by 1,000 readers (with all that leads to it)',
    bars: bars(messages, { name: '', value: 'CPU per push, µs' }),
  },
  pageGroup('a page of 50 messages, of one room'),
  pageGroup('a page of 50 messages, each of another room'),
].filter(({ bars: found }) => found.length > 0);
const shown = [messages, queries, startup].find((result) => result !== undefined);
writeFileSync(
  OUTPUT,
  drawn(
    groups,
    `Shorter is better. ${shown?.on}, Node ${shown?.node.slice(1)}, two cores, load ${shown?.load ?? 'unknown'}.`,
  ),
);
