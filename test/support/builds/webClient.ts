import { viteBuild } from './viteBuild.ts';

let built: Promise<string> | undefined;

/**
 * The directory with the web client as `npm run build:web` makes it. Takes a few seconds, or nothing if the same
 * sources were built before.
 */
export function buildWebClient(): Promise<string> {
  built ??= viteBuild({ name: 'web', config: 'web/vite.config.ts', sources: ['web'] });
  return built;
}
