import type { ProviderConfig } from '../provider/kept.ts';

/** The configuration that the server embeds in the page. */
export interface PageConfig {
  /** The demo users to choose from, in development only. */
  readonly people: readonly DemoPerson[];
  readonly graphiql: boolean;
  /** The provider at which users sign in. Absent: they enter a token. */
  readonly signIn?: ProviderConfig;
}

export interface DemoPerson {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  /** The language of the user's rooms. */
  readonly language: 'en' | 'ja';
  readonly token: string;
}

export function readPageConfig(): PageConfig {
  const text = document.getElementById('server')?.textContent ?? '{}';
  const embedded = JSON.parse(text) as Partial<PageConfig>;
  return { ...embedded, people: embedded.people ?? [], graphiql: embedded.graphiql ?? false };
}
