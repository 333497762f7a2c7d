import { describe, expect, it } from 'vitest';
import { browserAvailable } from '../support/clients/browser.ts';
import { useNotifications } from './support/notificationPanel.ts';
import { comesTo, hasFocus, message } from './support/pages.ts';

describe.skipIf(!browserAvailable)('web, answering one reply of a thread', () => {
  const web = useNotifications();

  it('reply: is chosen by pointer or keyboard, kept with the draft, and shown with the name of its author', async () => {
    const roomId = await web.room('Pantry', ['aki', 'ben', 'chie']);
    const root = await web.say(roomId, 'aki', 'What is missing?');
    await web.say(roomId, 'ben', 'Rice is.', root);
    await web.say(roomId, 'chie', 'Soy sauce is.', root);
    const { page, openRoom, complaints } = await web.as('aki');
    await openRoom('Pantry');
    await message(page, 'What is missing').hover();
    await message(page, 'What is missing').getByRole('button', { name: 'Reply in thread' }).click();
    const thread = page.getByRole('complementary', { name: 'Thread' });
    const inThread = (text: string) => thread.getByRole('article').filter({ hasText: text });
    const field = thread.getByLabel('Reply…');
    const choice = thread.getByText('In reply to');

    await inThread('Rice is.').hover();
    await inThread('Rice is.').getByRole('button', { name: 'Reply to this message' }).click();
    await comesTo(() => choice.allTextContents(), [' In reply to Ben Okafor']);
    await comesTo(() => hasFocus(field), true);

    // Escape ends the choice and leaves the thread open.
    await field.press('Escape');
    await comesTo(() => choice.count(), 0);
    await inThread('Soy sauce').focus();
    await inThread('Soy sauce').press('Enter');
    await comesTo(() => choice.allTextContents(), [' In reply to Chie Mori']);
    await comesTo(() => hasFocus(field), true);
    await field.fill('Two bottles?');

    // The choice comes back with the draft.
    await thread.getByRole('button', { name: 'Close thread' }).click();
    await message(page, 'What is missing').focus();
    await message(page, 'What is missing').press('Enter');
    await comesTo(() => field.inputValue(), 'Two bottles?');
    await comesTo(() => choice.allTextContents(), [' In reply to Chie Mori']);
    await field.press('Enter');
    await inThread('Two bottles?').getByText('In reply to Chie Mori').waitFor();
    await comesTo(() => choice.count(), 1);
    await field.fill('Thanks to all.');
    await field.press('Enter');
    await inThread('Thanks to all.').waitFor();
    expect(await inThread('Thanks to all.').getByText('In reply to').count()).toBe(0);
    await inThread('Two bottles?').getByRole('button', { name: 'In reply to Chie Mori' }).click();
    await thread.locator('[class*=flash]').getByText('Soy sauce is.').waitFor();
    expect(complaints).toEqual([]);
  });
});
