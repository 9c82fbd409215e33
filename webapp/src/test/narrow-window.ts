/** Tests of narrow windows: jsdom has no layout, so the media query is answered here. */
import { afterEach, beforeEach, vi } from 'vitest';
import { NARROW } from '@/ui/media-query';

/** All tests of the block run in a narrow window. */
export function inNarrowWindow(): void {
  beforeEach(() => {
    vi.spyOn(window, 'matchMedia').mockImplementation(
      (media) =>
        ({
          media,
          matches: media === NARROW,
          addEventListener: () => undefined,
          removeEventListener: () => undefined,
        }) as unknown as MediaQueryList,
    );
  });
  afterEach(() => {
    vi.mocked(window.matchMedia).mockRestore();
  });
}
