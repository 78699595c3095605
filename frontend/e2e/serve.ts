// A server with invented data for when there is none: the built pages under the
// policy that the real server sends, and the API as the real one answers.

import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { answer } from '../src/transport/fake/answer';
import { ApiError } from '../src/transport/transport';

/** As backend/api sends it: the test beside embed.go keeps the two alike. */
export const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
  "form-action 'none'; frame-ancestors 'none'; base-uri 'none'";

const dist = join(import.meta.dirname, '..', 'dist');
const types: Record<string, string> = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

/** Serves on a free port of 127.0.0.1 and gives the address. */
export async function serve(): Promise<{ url: string; server: Server }> {
  if (!existsSync(join(dist, 'index.html'))) throw new Error('dist has no pages: run "npm run build" first');
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    response.setHeader('Content-Security-Policy', policy);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    if (url.pathname === '/api/events') void events(url, response);
    else if (url.pathname === '/test/event') void emit(request, response);
    else if (url.pathname.startsWith('/api/')) void api(request, url, response);
    else file(url.pathname, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const at = server.address();
  if (at === null || typeof at === 'string') throw new Error('the server has no port');
  return { url: `http://127.0.0.1:${at.port}/`, server };
}

async function api(request: IncomingMessage, url: URL, response: ServerResponse): Promise<void> {
  response.setHeader('Content-Type', 'application/json');
  try {
    let text = '';
    for await (const part of request) text += String(part);
    const ask = { method: request.method === 'POST' ? ('POST' as const) : ('GET' as const), path: url.pathname, query: Object.fromEntries(url.searchParams) };
    response.end(JSON.stringify(await answer(text === '' ? ask : { ...ask, body: JSON.parse(text) as unknown })));
    if (ask.method === 'POST') await tellAll();
  } catch (error) {
    const { code, message, hint } = error instanceof ApiError ? error : new ApiError('internal', String(error));
    response.statusCode = code === 'not-found' ? 404 : code === 'unavailable' ? 503 : 500;
    response.end(JSON.stringify({ code, message, hint }));
  }
}

/** Who listens, and to which installation. */
const listening = new Map<ServerResponse, string>();

/** How often progress is told, in milliseconds. */
const toldEvery = 300;

/** The stream of events: the status at once, then what a test sends to /test/event. */
async function events(url: URL, response: ServerResponse): Promise<void> {
  response.setHeader('Content-Type', 'text/event-stream');
  listening.set(response, url.searchParams.get('installation') ?? '');
  const timer = setInterval(() => void tell(response, true), toldEvery);
  response.on('close', () => (clearInterval(timer), listening.delete(response)));
  await tell(response);
}

/** Says the status to one who listens; while nothing goes on there is nothing to say again. */
async function tell(to: ServerResponse, ifBusy = false): Promise<void> {
  const status = (await answer({ path: '/api/status', query: { installation: listening.get(to) ?? '' } })) as { job: string };
  const before = said.get(to);
  said.set(to, status.job);
  if (!ifBusy || status.job !== '' || (before ?? '') !== '') to.write(frame({ name: 'status', status }));
}

const said = new WeakMap<ServerResponse, string>();

async function tellAll(): Promise<void> {
  for (const to of listening.keys()) await tell(to);
}

const frame = (event: { name: string; [part: string]: unknown }): string => `event: ${event.name}\ndata: ${JSON.stringify(event)}\n\n`;

/** Sends the event in the body to every page; without a body it breaks the streams. */
async function emit(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = '';
  for await (const part of request) text += String(part);
  for (const to of listening.keys()) {
    if (text === '') to.destroy();
    else to.write(frame(JSON.parse(text) as { name: string }));
  }
  response.end();
}

/** A file, or the page for a path that is none: the page reads the URL itself. */
function file(path: string, response: ServerResponse): void {
  const wanted = join(dist, path);
  const found = wanted.startsWith(dist) && existsSync(wanted) && statSync(wanted).isFile() ? wanted : join(dist, 'index.html');
  response.setHeader('Content-Type', types[extname(found)] ?? 'application/octet-stream');
  createReadStream(found).pipe(response);
}
