// Before any test: a one-time link is exchanged for the cookie of a session,
// once, so that every file of tests can use it.

import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Cookie as name=value, "" where there is none. */
    cookie: string;
    /** Where the pages are, "" where the tests start a server themselves. */
    base: string;
  }
}

export default async function setup(project: TestProject): Promise<void> {
  const link = process.env['TIDEMARK_URL'] ?? '';
  project.provide('base', link === '' ? '' : new URL('/', link).href);
  if (link === '' || new URL(link).pathname === '/') return project.provide('cookie', '');
  const answer = await fetch(link, { redirect: 'manual' });
  const [cookie] = answer.headers.getSetCookie();
  if (!cookie) throw new Error(`the link gave no session (HTTP ${answer.status}): a link works once and for ten minutes`);
  project.provide('cookie', cookie.split(';')[0] ?? '');
}
