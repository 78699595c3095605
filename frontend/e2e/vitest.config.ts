import { defineConfig } from 'vitest/config';

// One browser at a time, and time enough for a slow machine. What fails once is
// tried again: a machine that does other work meanwhile is not the pages' fault.
export default defineConfig({
  test: { include: ['e2e/**/*.test.ts'], globalSetup: ['e2e/setup.ts'], fileParallelism: false, retry: 1, testTimeout: 60_000, hookTimeout: 60_000 },
});
