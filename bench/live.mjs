// Opens a page in a browser and says when words appear on it: for every word
// "mark-N" that is drawn, one line "N <milliseconds since 1970>" is printed.
// Usage: node live.mjs LINK PATH

import { createRequire } from 'node:module';

const require = createRequire(new URL('../frontend/package.json', import.meta.url));
const { chromium } = require('playwright-core');
const [link, path] = process.argv.slice(2);

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
const page = await browser.newPage({ viewport: { width: 1280, height: 820 } });
await page.exposeFunction('seen', (n, at) => console.log(`${n} ${at}`));
await page.addInitScript(() => {
  const told = new Set();
  const look = (node) => {
    for (const [, n] of (node.textContent ?? '').matchAll(/mark-(\d+)/g)) {
      if (told.has(n)) continue;
      told.add(n);
      requestAnimationFrame(() => window.seen(n, performance.timeOrigin + performance.now()));
    }
  };
  addEventListener('DOMContentLoaded', () => {
    new MutationObserver((all) => {
      for (const m of all) {
        for (const node of m.addedNodes) look(node);
        if (m.type === 'characterData') look(m.target);
      }
    }).observe(document.body, { childList: true, characterData: true, subtree: true });
  });
});
await page.goto(link);
await page.goto(new URL(path, link).href);
await page.waitForSelector('h1');
await page.waitForTimeout(1500);
console.log('ready');
process.stdin.resume();
process.stdin.on('end', () => void browser.close());
