/** What the server tells the page, in the page itself. */
export interface PageConfig {
  /** Whom one may be, in development only. */
  readonly people: readonly DemoPerson[];
  readonly graphiql: boolean;
}

export interface DemoPerson {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  readonly token: string;
}

export function readPageConfig(): PageConfig {
  const told = JSON.parse(document.getElementById('server')?.textContent ?? '{}') as Partial<PageConfig>;
  return { people: told.people ?? [], graphiql: told.graphiql ?? false };
}
