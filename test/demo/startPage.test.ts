import { describe, expect, it } from 'vitest';
import { startPage } from '../../src/demo/startPage.ts';

const aki = { handle: 'aki', name: 'Aki Tanaka', token: 'a.b.c' };

describe('the start page', () => {
  it('outside development names the places, and has neither script nor token', () => {
    const page = startPage({ graphiql: true, tokens: [] });
    expect(page).toContain('href="/graphql"');
    expect(page).toContain('href="/healthz"');
    expect(page).not.toContain('<script');
    expect(page).not.toContain('data-people');
    expect(startPage({ graphiql: false, tokens: [] })).not.toContain('href="/graphql');
  });

  it('cannot be left by what is in a name', () => {
    const page = startPage({
      graphiql: true,
      tokens: [{ ...aki, name: `"><script>alert('x')</script>` }],
    });
    expect(page.match(/<script>/g)).toHaveLength(1);
    expect(page).not.toContain("alert('");
  });

  it('asks for nothing from elsewhere', () => {
    const page = startPage({ graphiql: true, tokens: [aki] });
    const addresses = page.match(/(src|href)=["'](?!data:|\/)[^"']*/g);
    expect(addresses).toBeNull();
  });
});
