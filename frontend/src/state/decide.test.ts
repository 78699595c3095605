import { afterEach, describe, expect, it } from 'vitest';
import { connect } from '../api/client';
import { ApiError, type Ask } from '../transport/transport';
import { announced } from './announce.svelte';
import { Decider } from './decide.svelte';
import { dropToast, toastShown } from './toast.svelte';

const asked: Ask[] = [];
function answering(answer: (ask: Ask) => unknown): void {
  asked.length = 0;
  connect({ request: (ask) => (asked.push(ask), Promise.resolve().then(() => answer(ask))), events: () => () => undefined });
}
afterEach(dropToast);

describe('Decider', () => {
  it('posts a decision, has others ask again, and offers the way back', async () => {
    answering(() => ({ statement: {}, said: null, history: null, replaces: null }));
    const decider = new Decider();
    let again = 0;
    const stop = decider.also(() => Promise.resolve(again++));
    expect(await decider.take({ id: 's', do: 'pin' })).toMatchObject({ said: [], history: [], replaces: [] });
    expect(asked[0]).toMatchObject({ method: 'POST', path: '/api/statement', body: { id: 's', do: 'pin', text: '', tag: '', scope: '', by: '' } });
    expect([again, decider.busy, toastShown()?.text]).toEqual([1, '', 'Pinned.']);
    toastShown()?.undo();
    await expect.poll(() => asked.length).toBe(2);
    expect(asked[1]?.body).toMatchObject({ id: 's', do: 'undo' });
    stop();
  });

  it('offers no way back from forgetting', async () => {
    answering(() => ({ statement: {} }));
    await new Decider().take({ id: 's', do: 'forget' });
    expect([toastShown(), announced()]).toEqual([null, 'Forgotten.']);
  });

  it('says why it failed, and has nothing ask again', async () => {
    answering(() => {
      throw new ApiError('unavailable', 'no space left', 'Free some space.');
    });
    const decider = new Decider();
    let again = 0;
    decider.also(() => Promise.resolve(again++));
    expect(await decider.take({ id: 's', do: 'scope', scope: 'all' })).toBeNull();
    expect([again, decider.busy, decider.failed?.id, decider.failed?.error.hint, toastShown()]).toEqual([0, '', 's', 'Free some space.', null]);
    decider.drop();
    expect(decider.failed).toBeNull();
  });

  it('takes one decision at a time', async () => {
    answering(() => ({ statement: {} }));
    const decider = new Decider();
    const first = decider.take({ id: 's', do: 'unpin' });
    expect([decider.busy, await decider.take({ id: 's', do: 'pin' })]).toEqual(['unpin', null]);
    await first;
    expect(asked).toHaveLength(1);
  });
});
