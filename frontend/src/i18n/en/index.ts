import { costs, frame, hints, lists, problems, session, settings, statements, tide, today } from './parts';

/** The English catalogue. Its keys are those of every catalogue. */
export const en = { ...frame, ...lists, ...session, ...costs, ...problems, ...hints, ...today, ...settings, ...tide, ...statements } as const;
