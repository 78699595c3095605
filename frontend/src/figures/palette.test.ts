import { describe, expect, it } from 'vitest';
import { offersFor, type Group, type Offer } from './palette';

const offer = (group: Group, text: string, note = ''): Offer => ({ id: `${group} ${text}`, group, text, note });
const all: Offer[] = [
  ...Array.from({ length: 40 }, (_, i) => offer('session', `Glaze ${i}`, 'mail')), offer('session', '釉料订单', '店铺'),
  offer('view', 'Today'), offer('view', 'Costs'), offer('action', 'Theme: Dark'), offer('agent', 'mail'), offer('agent', 'main'),
];
const texts = (words: string): string[] => offersFor(all, words).map((o) => o.text);

describe('offersFor', () => {
  it('without words: everything but most sessions, views first', () => {
    expect(texts('')).toEqual(['Today', 'Costs', 'Theme: Dark', 'mail', 'main', 'Glaze 0', 'Glaze 1', 'Glaze 2', 'Glaze 3', 'Glaze 4']);
    expect(texts('  ')).toEqual(texts(''));
  });
  it('has all words, in any order and case, also in the note', () => {
    expect(texts('mail GLAZE 39')).toEqual(['Glaze 39']);
    expect(texts('釉料')).toEqual(['釉料订单']);
    expect(texts('zzz')).toEqual([]);
  });
  it('puts what begins with the words first, in its group', () => {
    expect(offersFor([offer('view', 'To costs'), offer('view', 'Costs')], 'cos').map((o) => o.text)).toEqual(['Costs', 'To costs']);
    expect(texts('ma').slice(0, 2)).toEqual(['mail', 'main']);
  });
  it('shows no more sessions than anybody reads', () => expect(texts('glaze')).toHaveLength(12));
});
