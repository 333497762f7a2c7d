import { expect } from 'vitest';

/** A page of any list. */
export interface SomePage<T> {
  readonly edges: ReadonlyArray<{ readonly node: T }>;
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor?: string | null | undefined;
    readonly endCursor?: string | null | undefined;
  };
}

type Ask<T> = (args: {
  first?: number;
  after?: string | null | undefined;
  last?: number;
  before?: string | null | undefined;
}) => Promise<SomePage<T>>;

/** All of a list, page by page from its beginning. */
export async function walk<T>(ask: Ask<T>, first: number): Promise<T[]> {
  const nodes: T[] = [];
  for (let after: string | null | undefined; ; ) {
    const { edges, pageInfo } = await ask({ first, after });
    nodes.push(...edges.map(({ node }) => node));
    expect(pageInfo.hasPreviousPage).toBe(after !== undefined);
    if (!pageInfo.hasNextPage) return nodes;
    after = pageInfo.endCursor;
  }
}

/** All of a list, page by page from its end. */
export async function walkBack<T>(ask: Ask<T>, last: number): Promise<T[]> {
  const nodes: T[] = [];
  for (let before: string | null | undefined; ; ) {
    const { edges, pageInfo } = await ask({ last, before });
    nodes.unshift(...edges.map(({ node }) => node));
    if (!pageInfo.hasPreviousPage) return nodes;
    before = pageInfo.startCursor;
  }
}
