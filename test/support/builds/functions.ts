import { viteBuild } from './viteBuild.ts';

/** The folder with the functions, as `npm run build:functions` makes it. */
export const buildFunctions = (): Promise<string> =>
  viteBuild({
    name: 'functions',
    config: 'scripts/build/functions.vite.config.ts',
    sources: ['src', 'scripts/build'],
  });
