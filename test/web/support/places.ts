import type { Page } from 'playwright-core';

/** What a reader expects of the timeline while its content changes. */
export type Stays = 'at the end' | 'in place';

/**
 * Checks the timeline in every frame until the returned function is called. It resolves with what was wrong in two
 * frames in a row: at the end, that the last row ends there; in place, that the first visible row has not moved.
 */
export async function watchPlace(page: Page, stays: Stays): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(`(${WATCH})(${stays === 'at the end'})`);
  return () => page.evaluate('window.stopWatch()');
}

const WATCH = `(isAtEnd) => {
  const log = document.querySelector('[role=log]');
  const wrong = [];
  let isOver = false;
  const rows = () => [...log.querySelectorAll('[data-index]')];
  const topOf = (row) => Math.round(row.getBoundingClientRect().top - log.getBoundingClientRect().top);
  const first = rows().find((row) => row.getBoundingClientRect().bottom > log.getBoundingClientRect().top + 1);
  const idOf = (row) => row?.querySelector('[data-message]')?.dataset.message;
  const id = idOf(first);
  const top = first === undefined ? 0 : topOf(first);
  const look = () => {
    const wrong = [];
    if (isAtEnd) {
      const below = Math.round(log.scrollHeight - log.clientHeight - log.scrollTop);
      const last = Math.max(...rows().map((row) => row.getBoundingClientRect().bottom));
      const gap = Math.round(log.getBoundingClientRect().bottom - last);
      if (below > 1) wrong.push('the end is ' + below + ' px below');
      if (gap < 0 || gap > 12) wrong.push('the last row ends ' + gap + ' px above the end');
    } else {
      const row = rows().find((one) => idOf(one) === id);
      if (row === undefined) wrong.push('the row is gone');
      else if (Math.abs(topOf(row) - top) > 1) wrong.push('the row moved by ' + (topOf(row) - top) + ' px');
    }
    return wrong;
  };
  // Between a frame and this check, a change may have begun of which the next frame shows the whole.
  let before = [];
  const next = () => requestAnimationFrame(() => setTimeout(() => {
    const now = look();
    if (before.length > 0) wrong.push(...now);
    before = now;
    if (!isOver) next();
  }));
  next();
  window.stopWatch = async () => {
    for (let frame = 0; frame < 5; frame++) await new Promise(requestAnimationFrame);
    isOver = true;
    return [...new Set([...wrong, ...look()])].slice(0, 10);
  };
}`;

/** Scrolls the timeline as a wheel does, by pixels, and resolves when the page has seen it. */
export const wheel = async (page: Page, by: number): Promise<void> => {
  await page.getByRole('log').hover();
  await page.mouse.wheel(0, by);
  await page.evaluate('new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))');
};

/** Pixels between the visible part of the timeline and its end. */
export const belowOf = (page: Page): Promise<number> =>
  page
    .getByRole('log')
    .evaluate(({ scrollHeight, clientHeight, scrollTop }) =>
      Math.round(scrollHeight - clientHeight - scrollTop),
    );
