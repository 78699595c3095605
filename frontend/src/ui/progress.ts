// What is being read, in words.

import { t } from '../i18n/index.svelte';
import { live } from '../state/live.svelte';
import { show } from '../state/show';

export function progress(): string {
  const { status } = live;
  if (!status?.busy || !status.agent) return t('live.busyNoAgent');
  if (status.total <= 0) return t('live.busy', { agent: status.agent });
  return t('live.busyBytes', { agent: status.agent, done: show.bytes(status.done), total: show.bytes(status.total) });
}
