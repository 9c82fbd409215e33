import { beforeAll, vi } from 'vitest';

// The loss of live updates is logged to the console; in tests it is the normal state.
beforeAll(() => {
  vi.spyOn(console, 'info').mockImplementation(() => undefined);
});

// Files with `@vitest-environment node` have no page: creating one takes longer than most of their tests.
if (typeof document !== 'undefined') await import('./page-setup');
