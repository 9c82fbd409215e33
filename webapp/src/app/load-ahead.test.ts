import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadAhead } from './load-ahead';
import { ROUTES } from './routes';

const loadOf = (id: string) =>
  vi.spyOn(
    ROUTES.find((row) => row.id === id)!,
    'load',
  );

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('loading ahead', () => {
  it('does not load on a slow connection, or where the reader saves data', async () => {
    const suggestions = loadOf('suggestions');
    vi.stubGlobal('navigator', { connection: { saveData: true } });
    await loadAhead('documents');
    vi.stubGlobal('navigator', { connection: { effectiveType: 'slow-2g' } });
    await loadAhead('documents');
    expect(suggestions).not.toHaveBeenCalled();
  });

  it('loads what is likely to be next, once; after a failure again', async () => {
    const suggestions = loadOf('suggestions')
      .mockRejectedValueOnce(new TypeError('Failed to fetch'))
      .mockResolvedValue(() => null);
    await loadAhead('documents');
    await loadAhead('documents');
    await loadAhead('documents');
    expect(suggestions).toHaveBeenCalledTimes(2);
  });

  it('loads nothing where nothing is likely', async () => {
    const all = ROUTES.map((row) => vi.spyOn(row, 'load'));
    await loadAhead('profile');
    for (const load of all) expect(load).not.toHaveBeenCalled();
  });
});
