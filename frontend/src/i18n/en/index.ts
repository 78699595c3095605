import { costs, frame, lists, problems, session } from './parts';

/** The English catalogue. Its keys are those of every catalogue. */
export const en = { ...frame, ...lists, ...session, ...costs, ...problems } as const;
