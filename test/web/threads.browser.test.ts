import { describe, expect, it } from 'vitest';
import { browserAvailable } from '../support/clients/browser.ts';
import { findings } from './support/axe.ts';
import { countOf, useNotifications } from './support/notificationPanel.ts';
import { comesTo, hasFocus } from './support/pages.ts';

describe.skipIf(!browserAvailable)('web, followed threads', () => {
  const web = useNotifications();

  it('threads: are listed by their newest reply, live, with what is unread, and open by keyboard', async () => {
    await web.clear('aki');
    const [kitchen, cellar] = [
      await web.room('Kitchen', ['aki', 'ben']),
      await web.room('Vault', ['aki', 'ben']),
    ];
    const soup = await web.say(kitchen, 'aki', 'Who makes **the soup**?');
    const key = await web.say(cellar, 'aki', 'Where is the key?');
    await web.say(kitchen, 'ben', 'I do.', soup);
    await web.say(cellar, 'ben', 'Under the mat.', key);
    await web.app.quiet();
    const { page, complaints } = await web.as('aki');
    await page.getByRole('link', { name: 'Threads', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Threads' }).waitFor();
    const rows = page.getByRole('main').getByRole('listitem');
    const first = async () => (await rows.first().textContent()) ?? '';
    await comesTo(async () => (await first()).includes('Under the mat.'), true);
    await comesTo(async () => (await rows.nth(1).textContent())?.includes('Who makes the soup?'), true);
    expect(await first()).toContain('Unread replies');
    expect(await findings(page)).toEqual([]);

    // A reply moves its thread to the top while the page is open.
    await web.say(kitchen, 'ben', 'With *ginger*.', soup);
    await comesTo(async () => (await first()).includes('With ginger.'), true);

    // Its end marks it as read; coming back shows that.
    await rows.first().getByRole('link').focus();
    await page.keyboard.press('ArrowDown');
    await comesTo(() => hasFocus(rows.nth(1).getByRole('link')), true);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'Thread' }).getByText('With ginger.').waitFor();
    await comesTo(() => countOf(page), 1);
    await page.getByRole('link', { name: 'Threads', exact: true }).click();
    await comesTo(async () => (await first()).includes('With ginger.'), true);
    await comesTo(async () => (await first()).includes('Unread replies'), false);
    await page.getByRole('button', { name: 'Unread', exact: true }).click();
    await comesTo(async () => (await first()).includes('Under the mat.'), true);
    expect(complaints).toEqual([]);
  });

  it('threads: show a reply of the viewer from another device, also one that was sent while this one was offline', async () => {
    const [shed, attic] = [await web.room('Shed', ['chie', 'ben']), await web.room('Loft', ['chie', 'ben'])];
    const saw = await web.say(shed, 'chie', 'Who has the saw?');
    const ladder = await web.say(attic, 'chie', 'Who has the ladder?');
    await web.say(shed, 'ben', 'Not me.', saw);
    await web.say(attic, 'ben', 'I do.', ladder);
    await web.app.quiet();
    await web.clear('chie');
    const { page } = await web.as('chie', { path: '/threads', fresh: {} });
    const first = page.getByRole('main').getByRole('listitem').first();
    await first.filter({ hasText: 'I do.' }).waitFor();
    await web.say(shed, 'chie', 'Found it.', saw);
    await first.filter({ hasText: 'Found it.' }).waitFor();
    await web.say(attic, 'chie', 'Thank you!', ladder);
    await first.filter({ hasText: 'Thank you!' }).waitFor();
    expect(await first.textContent()).not.toContain('Unread replies');
    // A thread that is not listed yet.
    const nails = await web.say(shed, 'ben', 'Nails?');
    await web.say(shed, 'chie', 'In the box.', nails);
    await first.filter({ hasText: 'In the box.' }).waitFor();

    await page.context().setOffline(true);
    await web.say(shed, 'chie', 'Here it is.', saw);
    await page.context().setOffline(false);
    await first.filter({ hasText: 'Here it is.' }).waitFor();
  });

  it.each([
    ['light', 'en-GB', { width: 1280, height: 800 }],
    ['dark', 'ja-JP', { width: 360, height: 740 }],
  ] as const)('threads: have no axe findings in %s, %s, at %o', async (colorScheme, locale, viewport) => {
    const fresh = { colorScheme, locale, viewport, reducedMotion: 'reduce' } as const;
    const { page, complaints } = await web.as('aki', { path: '/threads', fresh });
    await page.getByRole('main').getByRole('listitem').first().waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(viewport.width);
    expect(complaints).toEqual([]);
  });
});
