import type { en } from './en';

/** The name of a message. */
export type Key = keyof typeof en;
