// The installations as choices. Pure.

import type { Installation } from '../api/types.gen';

/** What the URL says, "" for the default one, and how a person calls it. */
export interface Place {
  value: string;
  text: string;
}

/** An installation is called by its profile, else by the name of its folder. */
export function placesOf(installations: readonly Installation[]): Place[] {
  return installations.map((i) => ({ value: i.default ? '' : i.id, text: i.profile || (i.stateDir.split(/[\\/]/).findLast((part) => part !== '') ?? i.stateDir) }));
}
