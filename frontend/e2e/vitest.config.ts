import { defineConfig } from 'vitest/config';

// One browser at a time, and time enough for a slow machine.
export default defineConfig({
  test: { include: ['e2e/**/*.test.ts'], globalSetup: ['e2e/setup.ts'], fileParallelism: false, testTimeout: 60_000, hookTimeout: 60_000 },
});
