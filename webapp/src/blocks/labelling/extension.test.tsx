import { act, renderHook } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { useLayoutStore } from '@/state/layout-store';
import { useSelectionExtension } from './label-panel';

const loaded = (project: string, language: string) => renderHook(() => useSelectionExtension(project, language)).result;

describe('extension of selections (C-066)', () => {
  beforeEach(() => {
    useLayoutStore.setState({ choices: {}, transient: {} });
  });

  it('is reset to none whenever a Chinese or Arabic project is loaded, whatever was chosen before', () => {
    for (const language of ['zh', 'ar', 'zh-Hant']) {
      useLayoutStore.setState({ choices: { 'extension/p': 'space' }, transient: {} });
      const hook = loaded('p', language);
      expect(hook.current[0]).toBe('none');
      act(() => hook.current[1]('space-or-punctuation'));
      expect(hook.current[0]).toBe('space-or-punctuation');
      expect(useLayoutStore.getState().choices['extension/p']).toBe('space');
      useLayoutStore.setState({ transient: {} }); // as after a reload
      expect(loaded('p', language).current[0]).toBe('none');
    }
  });

  it('is stored in other languages', () => {
    const hook = loaded('q', 'fr');
    expect(hook.current[0]).toBe('space-or-punctuation');
    act(() => hook.current[1]('space'));
    expect(loaded('q', 'fr').current[0]).toBe('space');
    expect(useLayoutStore.getState().choices['extension/q']).toBe('space');
  });
});
