import type { Config } from '../config.ts';
import type { Started } from './app.ts';

/** Where `npm run dev:web` serves the client. */
const DEVELOPMENT_PAGE = 'http://127.0.0.1:5173';

export type WelcomeConfig = Pick<Config, 'role' | 'graphiql'> & {
  readonly auth: Pick<Config['auth'], 'kind'>;
};
export type Welcomed = Pick<Started, 'url' | 'metricsUrl' | 'hasClient' | 'tokens'>;

/** What the program prints when it is ready: where everything is. */
export function welcome(config: WelcomeConfig, { url, metricsUrl, hasClient, tokens }: Welcomed): string {
  const metrics = metricsUrl === undefined ? [] : [`  Metrics    ${metricsUrl}`];
  if (config.role === 'worker') {
    return `${[`Tsudoi's worker is ready. Its state: ${url}/readyz`, ...metrics].join('\n')}\n`;
  }
  const page = hasClient ? url : `not built: npm run build:web, or npm run dev:web for ${DEVELOPMENT_PAGE}`;
  const lines = [`Tsudoi is ready at ${url}`, `  Web client ${page}`, ...metrics];
  if (config.graphiql) lines.push(`  GraphiQL   ${url}/graphql`);
  if (config.auth.kind === 'development') {
    lines.push('  No AUTH_* is set: this is for development, and only this machine can reach it.');
  }
  for (const { name, token } of tokens) lines.push('', `  Token of ${name}:`, `  ${token}`);
  return `${lines.join('\n')}\n`;
}
