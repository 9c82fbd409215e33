/** The image of a project: its sizes, and the delays of the picker (C-018, C-038). */
import { act, fireEvent, render, screen } from '@testing-library/react';
import { readFileSync } from 'node:fs';
import { http, HttpResponse } from 'msw';
import { useState } from 'react';
import { MemoryRouter } from 'react-router';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestI18n } from '@/test/render';
import { server } from '@/test/server';
import { drawRandomImage } from './random-image';
import { ImagePicker, type ProjectImage } from './image-picker';

const handleChange = vi.fn();
function Host() {
  const [value, setValue] = useState<ProjectImage>({});
  const onChange = (image: ProjectImage) => {
    handleChange(image);
    setValue(image);
  };
  return (
    <MemoryRouter>
      <ImagePicker value={value} onChange={onChange} />
    </MemoryRouter>
  );
}
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const mode = () =>
  screen.getAllByRole('radio').find((one) => one.getAttribute('aria-checked') === 'true' || (one as HTMLInputElement).checked);
const shown = () => (mode()?.textContent || mode()?.closest('label')?.textContent) ?? '';

beforeAll(async () => {
  await startTestI18n();
  server.listen({ onUnhandledRequest: 'bypass' });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  handleChange.mockClear();
  server.resetHandlers();
});
afterAll(() => server.close());

describe('a link (C-018)', () => {
  it('is used after 500 ms without input; the picker is back at random 1 s later', async () => {
    vi.useFakeTimers();
    render(<Host />);
    fireEvent.click(screen.getByRole('radio', { name: 'Link' }));
    const type = (value: string) => fireEvent.change(screen.getByRole('textbox'), { target: { value } });
    type('https://example.org/a');
    await pass(499);
    type('https://example.org/a.png');
    await pass(499);
    expect(handleChange).not.toHaveBeenCalled();
    await pass(1);
    expect(handleChange.mock.calls).toEqual([[{ imageUrl: 'https://example.org/a.png' }]]);
    await pass(999);
    expect(shown()).toBe('Link');
    await pass(1);
    expect(shown()).toBe('Random');
  });
});

describe('sizes (C-038)', () => {
  const widthAndHeight = (file: string, rule: string) => {
    const block = new RegExp(`\\n${rule} \\{([^}]*)\\}`).exec(readFileSync(file, 'utf8'))?.[1] ?? '';
    return ['width', 'height'].map((name) => new RegExp(`(?:max-)?${name}: (\\d+)px`).exec(block)?.[1]);
  };
  it('the preview is 200x100, the image of an encyclopedia 200 at most', () => {
    expect(widthAndHeight('src/blocks/projects/projects.module.css', '\\.preview')).toEqual(['200', '100']);
    expect(widthAndHeight('src/blocks/terms/terms.module.css', '\\.[\\w ]*(?:picture|image|img)[\\w ]*')).toEqual(['200', '200']);
  });
  it('a random image is 640x480, and is uploaded', async () => {
    const pen = { fillRect: vi.fn(), beginPath: vi.fn(), arc: vi.fn(), fill: vi.fn() };
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(pen as never);
    let size: number[] = [];
    vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation(function (this: HTMLCanvasElement, done: BlobCallback) {
      size = [this.width, this.height];
      done(new Blob(['png'], { type: 'image/png' }));
    });
    const file = await drawRandomImage(() => 0.5);
    expect([size, file?.type]).toEqual([[640, 480], 'image/png']);
    expect(pen.fillRect).toHaveBeenCalledWith(0, 0, 640, 480);
    expect(pen.arc.mock.calls.length).toBeGreaterThan(3);
    server.use(http.post('*/api/uploads', () => HttpResponse.json([{ id: 'u1', filename: 'drawn.png' }])));
    render(<Host />);
    fireEvent.click(screen.getByRole('button', { name: 'Pick one at random' }));
    await vi.waitFor(() => expect(handleChange).toHaveBeenCalledWith({ imageId: 'u1', imageFilename: 'drawn.png' }));
  });
});
