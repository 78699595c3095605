import { costs, frame, hints, lists, problems, session, settings, today } from './parts';

/** The English catalogue. Its keys are those of every catalogue. */
export const en = { ...frame, ...lists, ...session, ...costs, ...problems, ...hints, ...today, ...settings } as const;
