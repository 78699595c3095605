// An error in words. Those of the way to the API have words of their own; what
// the API says is shown as it says it.

import { t } from '../i18n/index.svelte';
import type { ApiError } from '../transport/transport';

export function wordsFor(error: ApiError): { message: string; hint: string } {
  switch (error.code) {
    case 'away':
      return { message: t('error.away'), hint: t('error.awayHint') };
    case 'unauthorized':
      return { message: t('error.signedOut'), hint: t('error.signedOutHint') };
    case 'bad-answer':
      return { message: t('error.bad'), hint: t('error.badHint') };
    default:
      return { message: error.message, hint: error.hint };
  }
}
