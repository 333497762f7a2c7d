import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { keys } from '../../src/dynamo/keys.ts';
import { changeJob } from '../../src/jobs/job.ts';
import { createPersonJobs } from '../../src/jobs/personJobs.ts';
import { DELETE } from '../../src/saved/jobs/tagJobs.ts';
import { validTagNames } from '../../src/saved/tagName.ts';
import { browserAvailable } from '../support/clients/browser.ts';
import { findings } from './support/axe.ts';
import { useNotifications } from './support/notificationPanel.ts';
import { comesTo, hasFocus } from './support/pages.ts';
import { answered, delay, held, operationOf, refuse } from './support/requests.ts';

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const side = (page: Page) => page.getByRole('navigation', { name: 'Lists' });
const tagMenu = async (page: Page, tag: string, item: string) => {
  await page.getByRole('button', { name: `More about the tag ${tag}` }).click();
  await page.getByRole('menuitem', { name: item }).click();
};

describe.skipIf(!browserAvailable)('web, tags of saved messages', () => {
  const web = useNotifications();

  /** A user saves messages with these tags. */
  async function saves(handle: string, ...tags: readonly (readonly string[])[]) {
    const room = await web.room(`Shelf of ${handle}`, [handle]);
    for (const [i, names] of tags.entries()) {
      const { threadTs, ts } = await web.say(room, handle, `Book ${i}`);
      const known = validTagNames(names);
      await web.app.services.saved.save(
        { user: web.id(handle), room, threadTs, ts },
        { tags: known },
        { known: false },
      );
    }
  }

  it('a tag: is renamed, merged into another one, shown to others and deleted, with the keyboard too', async () => {
    await saves('dana', ['red', 'old'], ['red'], ['blue'], ['green']);
    const { page, complaints } = await web.as('dana', { path: '/saved/tags/red' });
    await comesTo(() => region(page, 'red').getByRole('listitem').count(), 2);
    await page.getByRole('button', { name: 'More about the tag red' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Rename…' }).press('Enter');
    const rename = page.getByRole('dialog', { name: 'Rename the tag “red”' });
    await rename.getByLabel('New name').fill('scarlet');
    expect(await findings(page)).toEqual([]);
    await rename.getByLabel('New name').press('Enter');
    await comesTo(() => region(page, 'scarlet').getByRole('listitem').count(), 2);
    await side(page)
      .getByRole('link', { name: /^scarlet\s*2$/ })
      .waitFor();
    await side(page).getByRole('link', { name: /^red/ }).waitFor({ state: 'detached' });

    // The name of another tag: the dialog says that both become one.
    await tagMenu(page, 'scarlet', 'Rename…');
    const again = page.getByRole('dialog', { name: 'Rename the tag “scarlet”' });
    await again.getByLabel('New name').fill('Blue');
    await again.getByRole('button', { name: 'Rename', exact: true }).click();
    await again.getByText('You have a tag “blue” already, on 1 message.').waitFor();
    await again.getByRole('button', { name: 'Merge', exact: true }).click();
    await page.getByText('Done: Merge “scarlet” into “blue”').waitFor();
    await comesTo(() => region(page, 'blue').getByRole('listitem').count(), 3);
    await side(page)
      .getByRole('link', { name: /^blue\s*3$/ })
      .waitFor();

    await tagMenu(page, 'blue', 'Merge into another tag…');
    const merge = page.getByRole('dialog', { name: 'Merge the tag “blue”' });
    await merge.getByText('All 3 messages with it will have that tag instead.').waitFor();
    await merge.getByLabel('Into this tag').fill('no such tag');
    await merge.getByRole('button', { name: 'Merge', exact: true }).click();
    await merge.getByText('You have no tag “no such tag”.').waitFor();
    await merge.getByLabel('Into this tag').fill('green');
    await merge.getByRole('button', { name: 'Merge', exact: true }).click();
    await comesTo(() => region(page, 'green').getByRole('listitem').count(), 4);

    await tagMenu(page, 'green', 'Make all of them public…');
    const confirm = page.getByRole('alertdialog', { name: 'Make everything with the tag “green” public?' });
    expect(await findings(page)).toEqual([]);
    await confirm.getByRole('button', { name: 'Make 4 public' }).click();
    await side(page)
      .getByRole('link', { name: /^Public\s*4$/ })
      .waitFor();
    await comesTo(() => region(page, 'green').getByText('Public', { exact: true }).count(), 4);

    await tagMenu(page, 'green', 'Delete the tag…');
    const gone = page.getByRole('alertdialog', { name: 'Delete the tag “green”?' });
    await gone.getByText('All 4 messages with it will lose it and stay saved.').waitFor();
    await gone.getByRole('button', { name: 'Delete', exact: true }).click();
    await comesTo(() => region(page, 'All').getByRole('listitem').count(), 4);
    await side(page)
      .getByRole('link', { name: /^green/ })
      .waitFor({ state: 'detached' });
    await side(page)
      .getByRole('link', { name: /^old\s*1$/ })
      .waitFor();
    expect(complaints).toEqual([]);
  });

  it('more tags than a page: are read a page at a time, with the keyboard, and found by their beginning', async () => {
    const name = (i: number) => String(i).padStart(3, '0');
    const names = Array.from({ length: 220 }, (_, i) => name(i));
    await saves('aki', ...Array.from({ length: 11 }, (_, i) => names.slice(20 * i, 20 * i + 20)));
    const { page, complaints } = await web.as('aki', { path: '/saved' });
    const tags = side(page).getByRole('link', { name: /^\d{3}\s*1$/ });
    const more = side(page).getByRole('button', { name: 'Show more tags' });
    await comesTo(() => tags.count(), 100);
    await more.focus();
    await page.keyboard.press('Enter');
    await comesTo(() => tags.count(), 200);
    await comesTo(() => hasFocus(tags.nth(100)), true);
    expect(await findings(page)).toEqual([]);
    await more.press('Enter');
    await comesTo(() => tags.count(), 220);
    // The button is gone, and the keyboard goes on with the first of the new ones.
    await more.waitFor({ state: 'detached' });
    await comesTo(() => hasFocus(tags.nth(200)), true);

    // What changes on another device is read in all pages, and none of them goes away.
    const room = await web.room('Another shelf of aki', ['aki']);
    const { threadTs, ts } = await web.say(room, 'aki', 'One more');
    await web.app.services.saved.save(
      { user: web.id('aki'), room, threadTs, ts },
      { tags: validTagNames([name(219)]) },
      { known: false },
    );
    await side(page)
      .getByRole('link', { name: /^219\s*2$/ })
      .waitFor();
    expect(await tags.count()).toBe(219);

    await side(page).getByLabel('Find a tag').fill('２１');
    await comesTo(() => side(page).getByRole('link', { name: /^21\d/ }).count(), 10);
    await side(page).getByLabel('Find a tag').fill('');
    await comesTo(() => tags.count(), 100);
    await page.setViewportSize({ width: 360, height: 740 });
    await more.scrollIntoViewIfNeeded();
    expect(await findings(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(complaints).toEqual([]);
  });

  it('a tag that is renamed on another device has its new name here, at the side and in the list', async () => {
    await saves('ben', ['Draft'], ['Draft', 'other']);
    const { page, complaints } = await web.as('ben', { path: '/saved' });
    await comesTo(() => region(page, 'All').getByText('Draft').count(), 2);
    const { tagChanges } = web.app.services;
    const user = web.id('ben');
    const reserved = await web.app.dynamo.get(keys.savedTagName(user, 'draft'));
    const [name] = validTagNames(['Final']);
    if (name === undefined) throw new Error('No name.');
    await tagChanges.rename(user, String(reserved?.tag), name);
    await comesTo(() => region(page, 'All').getByText('Final').count(), 2);
    await side(page)
      .getByRole('link', { name: /^Final\s*2$/ })
      .waitFor();
    expect(await region(page, 'All').getByText('Draft').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('the open list of a tag follows its new name, and says when the tag is gone', async () => {
    await saves('dana', ['Common', 'Else']);
    const { page, complaints } = await web.as('dana', { path: '/saved/tags/Common', fresh: {} });
    await comesTo(() => region(page, 'Common').getByRole('listitem').count(), 1);
    await side(page)
      .getByRole('link', { name: /^Common\s*1$/ })
      .waitFor();
    const { tagChanges } = web.app.services;
    const user = web.id('dana');
    const idOf = async (name: string) =>
      String((await web.app.dynamo.get(keys.savedTagName(user, name)))?.tag);
    const [shared] = validTagNames(['Shared']);
    if (shared === undefined) throw new Error('No name.');
    await tagChanges.rename(user, await idOf('common'), shared);
    await page.waitForURL(/\/saved\/tags\/Shared$/);
    await comesTo(() => region(page, 'Shared').getByRole('listitem').count(), 1);
    const menu = page.getByRole('button', { name: 'More about the tag Shared' });
    expect(await menu.isEnabled()).toBe(true);

    await tagChanges.remove(user, await idOf('shared'));
    await region(page, 'Shared').getByText('This tag is gone').waitFor();
    await comesTo(() => menu.isDisabled(), true);
    await region(page, 'Shared').getByRole('link', { name: 'Show everything saved' }).click();
    await page.waitForURL(/\/saved$/);
    await region(page, 'All').getByText('Else', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('several messages: are selected, tagged and removed together, and the removal is undone', async () => {
    await saves('chie', [], ['a'], [], ['b']);
    const { page, complaints } = await web.as('chie', { path: '/saved' });
    const all = region(page, 'All').getByRole('listitem');
    await comesTo(() => all.count(), 4);
    const bar = page.getByRole('region', { name: 'Selection' });
    // The list has the newest first.
    await all.first().getByRole('checkbox').click();
    await bar.getByText('1 selected').waitFor();
    await all
      .nth(2)
      .getByRole('checkbox')
      .click({ modifiers: ['Shift'] });
    await bar.getByText('3 selected').waitFor();
    await all.nth(1).getByRole('checkbox').focus();
    await page.keyboard.press('Space');
    await bar.getByText('2 selected').waitFor();
    expect(await findings(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await findings(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.setViewportSize({ width: 1280, height: 800 });

    await bar.getByRole('button', { name: 'Add tags' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add tags to 2 messages' });
    await dialog.getByLabel('Tags').press('Enter');
    await dialog.getByRole('alert').getByText('Write a name.').waitFor();
    expect(await findings(page)).toEqual([]);
    await dialog.getByLabel('Tags').fill('c, d');
    await dialog.getByRole('alert').waitFor({ state: 'detached' });
    const accept = await refuse(page, 'Save', { code: 'FORBIDDEN' });
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('You don’t have permission to do this here.').waitFor();
    // They are still selected, for another attempt.
    await bar.getByText('2 selected').waitFor();
    await accept();
    await bar.getByRole('button', { name: 'Add tags' }).click();
    await dialog.getByLabel('Tags').fill('c, d');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Changed 2 messages').waitFor();
    await bar.waitFor({ state: 'detached' });
    await side(page)
      .getByRole('link', { name: /^d\s*2$/ })
      .waitFor();
    await comesTo(() => all.getByRole('link', { name: 'c', exact: true }).count(), 2);

    for (const row of [all.first(), all.nth(3)]) await row.getByRole('checkbox').click();
    await bar.getByRole('button', { name: 'Remove tags' }).click();
    await page.getByRole('dialog').getByLabel('Tags').fill('C, b');
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    await bar.waitFor({ state: 'detached' });
    await side(page)
      .getByRole('link', { name: /^c\s*1$/ })
      .waitFor();

    await all.first().getByRole('checkbox').click();
    await all
      .nth(3)
      .getByRole('checkbox')
      .click({ modifiers: ['Shift'] });
    await bar.getByRole('button', { name: 'Remove', exact: true }).click();
    await comesTo(() => all.count(), 0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await comesTo(() => all.count(), 4);
    await side(page)
      .getByRole('link', { name: /^d\s*2$/ })
      .waitFor();
    await comesTo(
      async () => (await all.allTextContents()).map((text) => /Book \d/.exec(text)?.[0]),
      [...['Book 3', 'Book 2', 'Book 1', 'Book 0']],
    );
    expect(complaints).toEqual([]);
  });

  it('a job: shows its progress on each device, survives a reload, ends with a message, and is cancelled', async () => {
    await saves('ben', ...Array.from({ length: 30 }, () => ['many']), ['few']);
    const { dynamo } = web.app;
    const user = web.id('ben');
    // One that only the test advances: it is due tomorrow.
    const jobs = createPersonJobs({ dynamo, now: () => Date.now() + 86_400_000 });
    const { id } = await jobs.add(user, { kind: DELETE, about: { user, tag: 'x', name: 'leftovers' } });
    const advance = async (change: Parameters<typeof changeJob>[1]) => {
      const job = await jobs.find(user, id);
      if (job === null) throw new Error('There is no job.');
      const { key, ...update } = changeJob(job, change);
      await dynamo.update(key, update);
    };
    const { page, complaints } = await web.as('ben', { path: '/saved', fresh: {} });
    const bar = page.getByRole('progressbar', { name: 'Delete the tag “leftovers”' });
    await bar.waitFor();
    await page.getByText('Waiting', { exact: true }).waitFor();
    await advance({ state: 'RUNNING', done: 40, total: 120, since: { at: Date.now(), done: 40 } });
    await page.getByText(/^40 of 120/).waitFor();
    expect(await bar.getAttribute('value')).toBe('40');
    expect(await findings(page)).toEqual([]);
    await page.reload();
    await page.getByText(/^40 of 120/).waitFor();
    await advance({ done: 60 });
    await page.getByText(/^60 of 120/).waitFor();

    // Another one has to wait for it. Then it runs to its end.
    await page.goto(`${web.app.url}/saved/tags/many`);
    await tagMenu(page, 'many', 'Merge into another tag…');
    const dialog = page.getByRole('dialog', { name: 'Merge the tag “many”' });
    await dialog.getByLabel('Into this tag').fill('few');
    await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
    await page.getByRole('progressbar', { name: 'Merge “many” into “few”' }).waitFor();
    await page.getByRole('button', { name: 'Cancel: Delete the tag “leftovers”' }).click();
    await page.getByText('Cancelled: Delete the tag “leftovers”.').waitFor();
    await bar.waitFor({ state: 'detached' });
    await page.getByText('Done: Merge “many” into “few”').waitFor();
    await page.getByRole('progressbar').waitFor({ state: 'detached' });
    await side(page)
      .getByRole('link', { name: /^few\s*31$/ })
      .waitFor();
    await side(page).getByRole('link', { name: /^many/ }).waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('more tags than a page: while further ones are read, the counts are current and the focus stays', async () => {
    const names = Array.from({ length: 120 }, (_, i) => `${100 + i}`);
    await saves('dana', ...Array.from({ length: 6 }, (_, i) => names.slice(20 * i, 20 * i + 20)));
    const { page } = await web.as('dana', { path: '/saved' });
    const tags = side(page).getByRole('link', { name: /^\d{3}\s*\d$/ });
    const more = side(page).getByRole('button', { name: 'Show more tags' });
    const find = side(page).getByLabel('Find a tag');
    const total = async () => {
      const text = await side(page).getByRole('link', { name: /^All/ }).textContent();
      return Number(/\d+$/.exec(text ?? '')?.[0]);
    };
    await comesTo(() => tags.count(), 100);
    const before = await total();
    // The reading fails. Nothing moves the focus later.
    const allow = await refuse(page, 'FurtherTags', { code: 'UNAVAILABLE' });
    const failed = answered(page, 'FurtherTags');
    await more.press('Enter');
    await failed;
    await allow();
    const further = held();
    await delay(page, 'FurtherTags', further.promise);
    const asked = page.waitForRequest((request) => operationOf(request) === 'FurtherTags');
    await more.press('Enter');
    await asked;
    await find.focus();
    further.letGo();
    await comesTo(() => tags.count(), 120);
    expect(await hasFocus(find)).toBe(true);

    // What changes on another device does not wait for the further pages, nor for one that fails.
    await page.unroute('**/graphql');
    const again = held();
    const stop = await refuse(page, 'FurtherTags', { code: 'UNAVAILABLE', before: again.promise });
    const room = await web.room('Another shelf of dana', ['dana']);
    const { threadTs, ts } = await web.say(room, 'dana', 'One more');
    await web.app.services.saved.save(
      { user: web.id('dana'), room, threadTs, ts },
      { tags: validTagNames(['100']) },
      { known: false },
    );
    await comesTo(total, before + 1);
    await side(page)
      .getByRole('link', { name: /^100\s*2$/ })
      .waitFor();
    expect([await tags.count(), await more.count()]).toEqual([120, 0]);
    const refused = answered(page, 'FurtherTags');
    again.letGo();
    await refused;
    await stop();
    expect([await tags.count(), await more.count()]).toEqual([120, 0]);
  });
});
