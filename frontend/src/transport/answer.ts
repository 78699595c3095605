import { ApiError } from './transport';

/** Gives the JSON of an answer with this status, or throws what it says went wrong. undefined is no JSON. */
export function taken(path: string, status: number, answer: unknown): unknown {
  if (status < 200 || status > 299) throw failure(status, answer);
  if (answer === undefined) throw new ApiError('bad-answer', `${path}: not JSON`);
  return answer;
}

function failure(status: number, answer: unknown): ApiError {
  const body = (typeof answer === 'object' && answer !== null ? answer : {}) as Record<string, unknown>;
  const text = (name: string): string => (typeof body[name] === 'string' ? body[name] : '');
  const code = text('code') || (status === 401 ? 'unauthorized' : 'bad-answer');
  return new ApiError(code, text('message') || `HTTP ${status}`, text('hint'));
}
