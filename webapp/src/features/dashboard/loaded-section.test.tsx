import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { beforeAll, expect, it, vi } from 'vitest';
import { ApiError } from '@/api/errors';
import { startTestI18n } from '@/test/render';
import { LoadedSection } from './loaded-section';

beforeAll(() => startTestI18n());

it('E-060 figures that cannot be fetched are logged, and the old ones are removed', () => {
  const logged = vi.spyOn(console, 'warn').mockReturnValue(undefined);
  const part = (error: unknown) => (
    <MemoryRouter>
      <LoadedSection query={{ data: 42, error, refetch: () => undefined }}>{(data) => <p>{data} documents</p>}</LoadedSection>
    </MemoryRouter>
  );
  const { rerender } = render(part(null));
  expect(screen.getByText('42 documents')).toBeInTheDocument();
  rerender(part(new ApiError(500, null, 'broken')));
  expect(screen.queryByText('42 documents')).toBeNull();
  expect(screen.getByRole('alert')).toBeInTheDocument();
  expect(logged).toHaveBeenCalledOnce();
  rerender(part(null));
  expect(screen.getByText('42 documents')).toBeInTheDocument();
  logged.mockRestore();
});
