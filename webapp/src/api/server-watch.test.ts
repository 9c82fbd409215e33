// @vitest-environment node
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ServerWatch } from './server-watch';

const never = () => new Promise<never>(() => undefined);
const told: boolean[] = [];

beforeEach(() => {
  told.length = 0;
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

const watching = (ask: () => Promise<unknown>) => new ServerWatch(ask, (silent) => void told.push(silent));

it('tells after five seconds that nothing is answered, and when it is again', async () => {
  let ask: () => Promise<unknown> = never;
  const watch = watching(() => ask());
  void watch.watch(never);
  await vi.advanceTimersByTimeAsync(4900);
  expect(told).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  expect(told).toEqual([true]);
  ask = () => Promise.resolve();
  await vi.advanceTimersByTimeAsync(2100);
  expect(told).toEqual([true, false]);
});

it('says nothing of one long request while others are answered', async () => {
  const ask = vi.fn(() => Promise.resolve());
  void watching(ask).watch(never);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ask).toHaveBeenCalledTimes(1);
  expect(told).toEqual([]);
});

it('does not ask when answers come in time', async () => {
  const ask = vi.fn(never);
  const watch = watching(ask);
  await watch.watch(() => Promise.resolve(1));
  await expect(watch.watch(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(ask).not.toHaveBeenCalled();
});
