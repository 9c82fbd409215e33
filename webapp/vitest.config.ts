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
      coverage: {
        include: ['src/**/*.{ts,tsx}'],
        exclude: ['src/**/*.test.{ts,tsx}', 'src/test/**', 'src/api/schema.d.ts'],
        reporter: [['text', { skipFull: true }]],
        reportsDirectory: 'node_modules/.cache/coverage',
      },
    },
  }),
);
