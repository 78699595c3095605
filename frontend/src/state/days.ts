// The days of moments, remembered: thousands of rows ask for theirs again with
// every filter, and a calendar takes long.

import { live } from './live.svelte';
import { show } from './show';

/** Gives a function like show.dayOf that remembers what it said, for as long as the zone stays. */
export function rememberedDays(): (at: string) => string {
  const known = new Map<string, string>();
  let zone = '';
  return (at) => {
    if (zone !== live.zone) known.clear();
    zone = live.zone;
    let day = known.get(at);
    if (day === undefined) known.set(at, (day = show.dayOf(at)));
    return day;
  };
}
