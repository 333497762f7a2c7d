import { describe, expect, it } from 'vitest';
import { browserAvailable } from '../support/clients/browser.ts';
import { countOf, lookAway, lookBack, useNotifications } from './support/notificationPanel.ts';
import { unreadOf } from './support/notificationState.ts';
import { comesTo, message } from './support/pages.ts';

describe.skipIf(!browserAvailable)('web, reading a thread', () => {
  const web = useNotifications();

  it('thread: its end marks its replies and mentions as read, only while the viewer looks at it', async () => {
    await web.clear('aki');
    const roomId = await web.room('Terrace', ['aki', 'ben', 'chie']);
    const root = await web.say(roomId, 'aki', 'Who waters the plants?');
    const other = await web.say(roomId, 'aki', 'And who feeds the cat?');
    await web.say(roomId, 'ben', 'I do.', root);
    await web.say(roomId, 'chie', 'On Mondays, @aki.', root);
    await web.say(roomId, 'ben', 'Not me.', other);
    const aki = await web.as('aki');
    const unreadByAki = async () => (await unreadOf(web.app, 'aki')).map(({ kind }) => kind).sort();
    await comesTo(() => countOf(aki.page), 3);
    await comesTo(unreadByAki, ['MENTION', 'REPLY', 'REPLY']);
    await aki.openRoom('Terrace');
    await message(aki.page, 'Who waters').hover();
    await message(aki.page, 'Who waters').getByRole('button', { name: 'Reply in thread' }).click();
    await aki.page.getByRole('complementary', { name: 'Thread' }).getByText('On Mondays').waitFor();
    await comesTo(() => countOf(aki.page), 1);
    await comesTo(unreadByAki, ['REPLY']);

    // A reply that arrives is read as well, but not behind the viewer's back.
    await lookAway(aki.page);
    await web.say(roomId, 'chie', 'And on Fridays.', root);
    await aki.page.getByRole('complementary', { name: 'Thread' }).getByText('On Fridays').waitFor();
    await comesTo(unreadByAki, ['REPLY', 'REPLY']);
    await comesTo(() => countOf(aki.page), 2);
    await lookBack(aki.page);
    await comesTo(() => countOf(aki.page), 1);
    await comesTo(unreadByAki, ['REPLY']);
    expect(aki.complaints).toEqual([]);
  });
});
