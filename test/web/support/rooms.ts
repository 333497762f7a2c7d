import type { Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { defined } from '../../../src/core/defined.ts';
import { encodeId } from '../../../src/graphql/ids.ts';
import { useBrowser } from '../../support/clients/windows.ts';
import type { TestApp } from '../../support/servers/app.ts';
import { open, startWeb } from './pages.ts';

interface Wanted {
  readonly name: string;
  readonly capacity?: number;
  /** Handles. The first is the owner. */
  readonly members: readonly string[];
}

/** An app with the web client, and a browser. To be called once in a `describe`, outside its tests. */
export function useRooms() {
  const browser = useBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await startWeb();
  });
  afterAll(() => app?.stop());

  async function idOf(handle: string): Promise<string> {
    const id = await app.services.users.byHandle(handle);
    if (id === null) throw new Error(`No user has the handle ${handle}.`);
    return id;
  }

  return {
    get app() {
      return app;
    },
    get browser() {
      return browser();
    },
    idOf,
    as: (handle: string, path?: string) =>
      open({ browser: browser(), url: app.url, as: handle, ...defined({ path }) }),
    /** Creates a public room for this test. Returns its raw id and its path. */
    async room({ name, capacity, members }: Wanted) {
      const { rooms } = app.services;
      const [owner = '', ...others] = await Promise.all(members.map(idOf));
      const made = { name, topic: null, visibility: 'PUBLIC', capacity: capacity ?? null } as const;
      const { id } = await rooms.create(owner, made);
      for (const other of others) await rooms.join(other, id);
      return { id, path: `/rooms/${encodeURIComponent(encodeId('Room', id))}` };
    },
  };
}

export const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

export async function showMembers(page: Page): Promise<void> {
  await page
    .locator('header')
    .getByRole('button', { name: / members?$/ })
    .click();
  await page.getByRole('complementary', { name: 'Members' }).waitFor();
}

/** A button is disabled while its script loads, and the click waits for it. */
export async function memberMenu(page: Page, name: string): Promise<void> {
  const pane = page.getByRole('complementary', { name: 'Members' });
  await pane.getByRole('button', { name: `More about ${name}` }).click();
  await page.getByRole('menu').waitFor();
}

export async function roomMenu(page: Page, item: string): Promise<void> {
  await page
    .locator('main header')
    .getByRole('button', { name: /^More about/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: item }).click();
}
