import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const source = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** What axe-core finds that keeps people out: WCAG 2.2 AA, and its own best practices. */
export async function findings(page: Page): Promise<string[]> {
  // What is just appearing is not to be read yet.
  await page.evaluate('Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {})))');
  await page.evaluate(await readFile(source, 'utf8'));
  // All rules, but no report of what is good, which takes time of its own.
  const run = "axe.run({ resultTypes: ['violations'] })";
  const { violations } = (await page.evaluate(run)) as AxeResults;
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
    );
}
