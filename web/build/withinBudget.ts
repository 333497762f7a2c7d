import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

/** Fails the build if a first visit loads more script than `budget`, in bytes after gzip. */
export function withinBudget(budget: number): Plugin {
  return {
    name: 'within-budget',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
      const first = firstLoad(chunks);
      const size = ({ code }: Rolldown.OutputChunk) => gzipSync(code).length;
      const texts = Math.max(...chunks.filter(isLanguage).map(size));
      const bytes = first.reduce((sum, chunk) => sum + size(chunk), texts);
      const says = `${(bytes / 1000).toFixed(1)} kB of script at first load, gzipped, of ${budget / 1000} kB`;
      if (bytes > budget) this.error(`Too large: ${says}.`);
      this.info(says);
    },
  };
}

/** The service worker is loaded by the browser, and only for users who want notifications. */
const isPage = ({ facadeModuleId }: Rolldown.OutputChunk): boolean =>
  facadeModuleId?.endsWith('.html') === true;

/** The texts of a language. A visitor loads one of them. */
const isLanguage = ({ moduleIds }: Rolldown.OutputChunk): boolean =>
  moduleIds.some((id) => /\/i18n\/[a-z]{2}\.ts$/.test(id));

/** The page's script and all its static imports, direct and indirect. Chunks imported on demand are not included. */
function firstLoad(chunks: readonly Rolldown.OutputChunk[]): Rolldown.OutputChunk[] {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const found = new Set<Rolldown.OutputChunk>();
  const visit = (chunk: Rolldown.OutputChunk | undefined) => {
    if (chunk === undefined || found.has(chunk)) return;
    found.add(chunk);
    for (const name of chunk.imports) visit(byName.get(name));
  };
  for (const chunk of chunks) if (isPage(chunk)) visit(chunk);
  return [...found];
}
