/** Who sees only what they annotated themselves is told so, where others work too. */
import { cleanup, render, screen } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { clearSession } from '@/app/session-lifecycle';
import common from '@/locales/en/common.json';
import { useSessionStore } from '@/state/session-store';
import { OwnAnnotationsNote } from './own-annotations-note';

beforeAll(async () => {
  await i18next.use(initReactI18next).init({ lng: 'en', resources: { en: { common } } });
});
afterEach(() => {
  cleanup();
  clearSession();
});

const note = (project: { readonly shared: boolean } | undefined, permissions: readonly string[]) => {
  useSessionStore.setState({ permissions: new Set(permissions) });
  render(<OwnAnnotationsNote project={project} />);
  return screen.queryByRole('note');
};

describe('OwnAnnotationsNote', () => {
  it('tells it, with who can change it, in a shared project', () => {
    const shown = note({ shared: true }, ['seeDocuments']);
    expect(shown).toHaveTextContent('You see your own annotations only');
    expect(shown).toHaveAccessibleName(/^You see your own annotations only\. \S/);
    expect(shown).toHaveAttribute('tabindex', '0');
  });

  it.each([
    ['may read those of others', { shared: true }, ['readUserAnnot:*']],
    ['works alone', { shared: false }, ['seeDocuments']],
    ['waits for the project', undefined, ['seeDocuments']],
  ] as const)('is not there for somebody who %s', (_who, project, permissions) => {
    expect(note(project, permissions)).toBeNull();
  });
});
