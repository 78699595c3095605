// The choices of an invented person, for as long as the process lives.

import type { Settings } from '../../api/types.gen';
import { ApiError } from '../transport';

export const fakeSettings: { now: Settings } = {
  now: { language: '', theme: '', density: '', timezone: '', dailyBudget: 4, closing: '', stateDir: '', zone: 'Asia/Shanghai', notices: [] },
};

/** Keeps choices as the owner process would, and refuses what it would refuse. */
export function keep(to: Settings): Settings {
  if (to.dailyBudget > 100_000) throw new ApiError('invalid', 'the budget is larger than any day', 'Write an amount in US dollars.');
  fakeSettings.now = { ...to, zone: to.timezone || 'Asia/Shanghai', notices: [] };
  return fakeSettings.now;
}
