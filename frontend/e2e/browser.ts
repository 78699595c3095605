// A browser that notes everything a page must not do.

import type { Server } from 'node:http';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { inject } from 'vitest';
import { serve } from './serve';

export interface Look {
  theme: 'light' | 'dark';
  lang: 'en' | 'zh';
  width: number;
  height?: number;
}

export interface House {
  /** Where the pages are, with a slash at the end. */
  url: string;
  /** Whose data it is: a real installation, or invented data that shows every state. */
  invented: boolean;
  browser: Browser;
  context: BrowserContext;
  close: () => Promise<void>;
}

/**
 * Starts the browser with the session of the server that TIDEMARK_URL names;
 * where it names none, a server with invented data is started.
 */
export async function open(): Promise<House> {
  let server: Server | undefined;
  let url = inject('base');
  const invented = url === '';
  if (invented) ({ url, server } = await serve());
  const browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--force-color-profile=srgb'] });
  const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' });
  const [name, value] = inject('cookie').split(/=(.*)/s);
  if (name && value) await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Strict' }]);
  const close = async (): Promise<void> => {
    await browser.close();
    server?.close();
    server?.closeAllConnections(); // streams of events stay open
  };
  return { url, invented, browser, context, close };
}

/** Has the server with invented data say an event, or without one break off its streams. */
export async function emit(house: House, event?: object): Promise<void> {
  await fetch(new URL('/test/event', house.url), { method: 'POST', body: event ? JSON.stringify(event) : null });
}

/** The event that says that anything may have changed. */
export const anything = { name: 'changed', changed: { installation: '', revision: 2, sessions: [], all: true } };

/** What went wrong on a page. */
export interface Notes {
  faults: string[];
}

/** Opens a page that notes violations of the policy, errors, and requests to elsewhere. */
export async function watched(house: House, look: Look): Promise<{ page: Page; notes: Notes }> {
  const page = await house.context.newPage();
  const notes: Notes = { faults: [] };
  await page.setViewportSize({ width: look.width, height: look.height ?? 820 });
  await page.addInitScript((prefs) => {
    localStorage.setItem('tidemark.prefs', prefs);
    document.addEventListener('securitypolicyviolation', (e) => console.error(`policy: ${e.violatedDirective} ${e.blockedURI}`)); // eslint-disable-line no-console
  }, JSON.stringify({ lang: look.lang, theme: look.theme }));
  page.on('console', (m) => {
    // The browser itself reports answers with an error status; those are asked for.
    if ((m.type() === 'error' || m.type() === 'warning') && !/Failed to load resource.*(503|404)/.test(m.text())) notes.faults.push(`console: ${m.text()}`);
  });
  page.on('pageerror', (e) => notes.faults.push(`error: ${e.message}`));
  page.on('request', (r) => {
    const to = new URL(r.url());
    if (!['data:', 'blob:'].includes(to.protocol) && to.origin !== new URL(house.url).origin) notes.faults.push(`request: ${r.url()}`);
  });
  page.on('popup', (p) => notes.faults.push(`window: ${p.url()}`));
  return { page, notes };
}

/** Waits until a page has drawn what it has to show, or for so many milliseconds where it goes on working. */
export async function settled(page: Page, longest = 8000): Promise<void> {
  await page.waitForSelector('h1');
  // The pages ask for everything within the first frames; an answer that comes
  // brings the next frame. Four in a row without a question on its way is rest.
  await page.evaluate(async (most) => {
    const began = performance.now();
    for (let quiet = 0; quiet < 4 && performance.now() - began < most; ) {
      await new Promise((next) => setTimeout(next, 50));
      const count = performance.getEntriesByType('resource').length;
      quiet = count === Number(sessionStorage.getItem('e2e.count')) && document.querySelector('[aria-busy="true"]') === null ? quiet + 1 : 0;
      sessionStorage.setItem('e2e.count', String(count));
    }
  }, longest);
}
