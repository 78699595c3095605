import { describe, expect, it } from 'vitest';
import type { Status } from '../api/types.gen';
import { en } from '../i18n/en';
import { fill } from '../i18n/message';
import { zh } from '../i18n/zh';
import type { Words } from './today';
import { keptWords, steady, workOf, workWords, type Work } from './work';

const inEnglish: Words = { lang: 'en', t: (key, params = {}) => fill(en[key], params, 'en') };
const inChinese: Words = { lang: 'zh', t: (key, params = {}) => fill(zh[key], params, 'zh') };
const status = (change: Partial<Status> = {}): Status => ({
  version: '', ledgerError: '', ledgerWaiting: 0, stateDir: '', dataDir: '', zone: 'UTC', demo: false, busy: true, job: 'reading', paused: false, agent: 'main', sources: 412, sourcesDone: 46, done: 120e6, total: 1.1e9,
  rate: 98e6, secondsLeft: 10, updatedAt: null, changedAt: null, watching: 'events', error: '', ...change,
});

describe('long work', () => {
  it('is none where none is said, or one that is not known', () => {
    expect(workOf(null)).toBeNull();
    expect(workOf(status({ job: '' }))).toBeNull();
    expect(workOf(status({ job: 'polishing' }))).toBeNull();
    expect(workWords(status({ job: '' }), inEnglish)).toEqual([]);
  });
  it.each<[Partial<Status>, Work]>([
    [{ done: 440e6, total: 1.1e9 }, { job: 'reading', state: 'running', share: 0.4 }],
    [{ total: 0, sourcesDone: 103 }, { job: 'reading', state: 'running', share: 0.25 }],
    [{ total: 0, sources: 0 }, { job: 'reading', state: 'running', share: null }],
    [{ done: 2e9 }, { job: 'reading', state: 'running', share: 1 }],
    [{ job: 'rebuild', paused: true, done: 0 }, { job: 'rebuild', state: 'paused', share: 0 }],
    [{ paused: true, error: 'disk full', done: 0 }, { job: 'reading', state: 'failed', share: 0 }],
  ])('%j', (change, want) => expect(workOf(status(change))).toEqual(want));
});

describe('its bar', () => {
  const at = (share: number | null, job: Work['job'] = 'reading'): Work => ({ job, state: 'running', share });
  it('never goes back while the work is the same', () => {
    let seen: Work | null = null;
    const shares = [null, 0.1, 0.4, 0.35, null, 0.5].map((s) => (seen = steady(seen, at(s)))?.share);
    expect(shares).toEqual([null, 0.1, 0.4, 0.4, 0.4, 0.5]);
  });
  it('begins anew with other work', () => {
    expect(steady(at(0.9), at(0.1, 'rebuild'))?.share).toBe(0.1);
    expect(steady(at(0.9), null)).toBeNull();
  });
});

describe('its words', () => {
  it.each<[Partial<Status>, string, string]>([
    [{}, 'Reading OpenClaw’s files | 120 MB of 1.1 GB | 46 of 412 files | 98 MB a second | about 10 s left', '正在读 OpenClaw 的文件 | 120 MB / 1.1 GB | 412 个文件读了 46 个 | 每秒 98 MB | 还要约 10 秒'],
    [{ secondsLeft: 130 }, 'Reading OpenClaw’s files | 120 MB of 1.1 GB | 46 of 412 files | 98 MB a second | about 2 min left', '正在读 OpenClaw 的文件 | 120 MB / 1.1 GB | 412 个文件读了 46 个 | 每秒 98 MB | 还要约 2 分'],
    [{ rate: 0, secondsLeft: null, total: 0, sources: 1, sourcesDone: 0 }, 'Reading OpenClaw’s files | 0 of 1 file', '正在读 OpenClaw 的文件 | 1 个文件读了 0 个'],
    [{ paused: true }, 'Reading is paused | 120 MB of 1.1 GB | 46 of 412 files', '读取已暂停 | 120 MB / 1.1 GB | 412 个文件读了 46 个'],
    [{ job: 'rebuild', error: 'x' }, 'Making the index stopped | 120 MB of 1.1 GB | 46 of 412 files', '重建停下了 | 120 MB / 1.1 GB | 412 个文件读了 46 个'],
    [{ job: 'rebuild', total: 0, sources: 0, rate: 0, secondsLeft: null }, 'Making the index anew', '正在重建索引'],
  ])('%j', (change, english, chinese) => {
    expect(workWords(status(change), inEnglish).join(' | ')).toBe(english);
    expect(workWords(status(change), inChinese).join(' | ')).toBe(chinese);
  });
  it('say what is kept where it is given up', () => {
    expect(keptWords(status(), inEnglish)).toBe('What was read stays: 46 of 412 files. The rest is read at the next start.');
    expect(keptWords(status({ job: 'rebuild' }), inEnglish)).toBe('The index stays as it was before.');
    expect(keptWords(status(), inChinese)).toBe('读过的都留着：412 个文件读了 46 个，其余下次启动再读。');
  });
});
