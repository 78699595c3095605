// The route that is shown, and the only place that touches the history.

import { formatUrl, goTo, parseUrl, start, type Route, type View } from './url';

let current = $state.raw<Route>(start);

/** The route that is shown. */
export function route(): Route {
  return current;
}

/** Reads the URL and follows it from now on, and links to our own pages. */
export function startRouter(): void {
  const read = (): void => {
    current = parseUrl(new URL(location.href));
  };
  read();
  addEventListener('popstate', read);
  document.addEventListener('click', (event) => {
    const url = ownLink(event);
    if (!url) return;
    event.preventDefault();
    navigate(parseUrl(url), false);
  });
}

/** The address of a link to one of our pages, if a plain click was on one. */
function ownLink(event: MouseEvent): URL | null {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link || link.target !== '' || link.hasAttribute('download') || link.getAttribute('href')?.startsWith('#')) return null;
  const url = new URL(link.href, location.href);
  return url.origin === location.origin ? url : null;
}

function navigate(to: Route, replace: boolean): void {
  const url = formatUrl(to);
  if (replace) history.replaceState(null, '', url);
  else if (url !== formatUrl(current) || to.view !== current.view) history.pushState(null, '', url);
  current = to;
}

/** Goes to another view. */
export function go(view: View, but: Partial<Route> = {}): void {
  navigate(goTo(view, current, but), false);
}

/** The address of another view, for a link. */
export function hrefOf(view: View, but: Partial<Route> = {}): string {
  return formatUrl(goTo(view, current, but));
}

/** The address of the present view with something changed. */
export function hrefWith(but: Partial<Route>): string {
  return formatUrl({ ...current, ...but });
}

/** Changes something of the present view, as a step that Back undoes. */
export function change(what: Partial<Route>): void {
  navigate({ ...current, ...what }, false);
}

/** Changes something small, like a word typed, without such a step. */
export function adjust(what: Partial<Route>): void {
  navigate({ ...current, ...what }, true);
}
