// @vitest-environment node
import { describe, expect, it, vi } from 'vitest';
import { ApiError } from '@/api/errors';
import type { Job } from '@/api/resources/jobs';
import { ignoreNotFound } from './use-label-operations';

describe('deleting a label that was deleted already (E-054)', () => {
  const refused = (status: number) => Promise.reject(new ApiError(status, { message: 'No' }));

  it('only logs a warning; all other errors are thrown', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    await expect(ignoreNotFound(refused(404))).resolves.toBeUndefined();
    expect(warn).toHaveBeenCalledOnce();
    await expect(ignoreNotFound(refused(403))).rejects.toThrow('No');
    await expect(ignoreNotFound(Promise.resolve({ id: '1' } as Job))).resolves.toMatchObject({ id: '1' });
    expect(warn).toHaveBeenCalledOnce();
    warn.mockRestore();
  });
});
