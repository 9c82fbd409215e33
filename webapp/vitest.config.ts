import { mergeConfig, defineConfig } from 'vitest/config';
import base from './vite.config.ts';

export default mergeConfig(
  base,
  defineConfig({
    test: {
      environment: 'jsdom',
      environmentOptions: { jsdom: { url: 'http://studio.test/' } },
      include: ['src/**/*.test.{ts,tsx}'],
      setupFiles: ['src/test/setup.ts'],
      css: false,
      testTimeout: 20_000,
      hookTimeout: 20_000,
      maxWorkers: 2,
    },
  }),
);
