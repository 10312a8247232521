import axe from 'axe-core'
import type { Page } from 'playwright-core'

/**
 * What axe, which knows what screen readers and weak eyes need, finds serious or worse on a page: one line for each place.
 * `rules`: only these of its rules, by their ids.
 */
export async function seriousFindings(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Given to the browser by its own door for tools, which the content policy of the page does not close.
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate(
    `axe.run(${JSON.stringify(rules === undefined ? {} : { runOnly: rules })})`
  )) as axe.AxeResults
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ''}`))
}
