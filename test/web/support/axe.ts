import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const source = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/**
 * Resolves when no element is appearing, since it cannot be read yet. An element with a transition is in the page one
 * frame before the transition begins.
 */
const SETTLED = `(async () => {
  const frame = () => new Promise(requestAnimationFrame);
  const isPassing = (one) => Number.isFinite(one.effect.getComputedTiming().endTime);
  const moving = () => document.getAnimations().filter((one) => one.playState === 'running' && isPassing(one));
  do {
    await Promise.all(moving().map((one) => one.finished.catch(() => {})));
    await frame();
    await frame();
  } while (moving().length > 0 || document.querySelector('[data-starting-style], [data-ending-style]') !== null);
})()`;

/**
 * What needs no landmark around it: axe-core's own list, and menus. An open menu has the focus until it closes, as a
 * dialog has, so users do not have to find it on the page.
 */
const OUTSIDE = 'dialog, [role=dialog], [role=alertdialog], svg, [role=menu]';

/** All violations that axe-core finds, of any impact: WCAG 2.2 AA and its own best practices. */
export async function findings(page: Page): Promise<string[]> {
  await page.evaluate(SETTLED);
  await page.evaluate(await readFile(source, 'utf8'));
  await page.evaluate(
    `axe.configure({ checks: [{ id: 'region', options: { regionMatcher: '${OUTSIDE}' } }] })`,
  );
  // All rules, but without a report of passed checks, which takes extra time.
  const run = "axe.run({ resultTypes: ['violations'] })";
  const { violations } = (await page.evaluate(run)) as AxeResults;
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
  );
}
