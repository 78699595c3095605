// The rules of axe, run in the page.

import { source } from 'axe-core';
import type { Page } from 'playwright-core';

interface Finding {
  id: string;
  help: string;
  nodes: { html: string; failureSummary?: string }[];
}

/** What axe finds wrong, one line each; an empty list is a pass. */
export async function axe(page: Page): Promise<string[]> {
  // Evaluated by the debugger, which the page's policy does not bind.
  await page.evaluate(source);
  const found = await page.evaluate(async () => {
    const { axe: rules } = globalThis as unknown as { axe: { run: (of: Document, options: object) => Promise<{ violations: Finding[] }> } };
    return (await rules.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] })).violations;
  });
  return found.map((f) => `${f.id}: ${f.help}: ${f.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)).join(' | ')}`);
}
