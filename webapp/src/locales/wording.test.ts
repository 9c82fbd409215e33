/** Texts given by the specification, and the style of the others. */
import { describe, expect, it } from 'vitest';
import { ApiError, notifyFailure } from '@/api/errors';
import { useNotificationsStore } from '@/state/notifications-store';
import { startTestI18n } from '@/test/render';
import english from '@/locales/en/errors.json';
import french from '@/locales/fr/errors.json';

/** The specification gives these without a full stop. */
const EXACT = new Set(['downloadResource', 'loadDocument']);

const CASES: readonly (readonly [status: number, body: object | string | null, cause: RegExp, fix: string | undefined])[] = [
  [400, { message: 'No such facet' }, /^The server refused the request \(No such facet\)\.$/, undefined],
  [401, { message: 'x' }, /^You are not or no longer authenticated\.$/, 'Sign in again.'],
  [403, { message: 'x' }, /^Authorization has been denied\.$/, 'Sign out and in again.'],
  [404, { message: 'Gone' }, /^A bug occurred\. Gone$/, 'Contact support.'],
  [409, { message: 'There is one already' }, /^The server rejected the request\. There is one already$/, 'Contact support.'],
  [413, { message: 'Too large' }, /^The server rejected the request\. Too large$/, 'Contact support.'],
  [429, { message: 'Slow down' }, /^The server is not available \(Slow down\)\.$/, 'Retry later or contact support.'],
  [500, { message: 'Broken' }, /^A bug occurred\. Broken$/, 'Contact support.'],
  [503, { message: 'Busy' }, /^The server is not available \(Busy\)\.$/, 'Retry later or contact support.'],
  [0, null, /^The server is not available/, 'Contact support.'],
];

describe('causes and fixes (E-010, E-011)', () => {
  it.each(CASES)('status %i', async (status, body, cause, fix) => {
    await startTestI18n();
    useNotificationsStore.setState({ items: [] });
    notifyFailure(new ApiError(status, body as never, 'network'), 'saveLabel');
    const [said] = useNotificationsStore.getState().items;
    expect(said?.cause).toMatch(cause);
    expect(said?.fix).toBe(fix);
  });
});

describe('a notification (E-015)', () => {
  it('has an id, a type, a text, and is neither dismissed nor faded at first', async () => {
    await startTestI18n();
    useNotificationsStore.setState({ items: [] });
    notifyFailure(new ApiError(401, { message: 'x' }), 'saveLabel');
    const [said] = useNotificationsStore.getState().items;
    expect(said).toMatchObject({
      type: 'error',
      message: 'We failed to save the label.',
      signInFix: true,
      dismissed: false,
      expired: false,
    });
    expect(said?.id).toBeGreaterThan(0);
    useNotificationsStore.getState().expire(said?.id ?? 0);
    expect(useNotificationsStore.getState().items[0]?.expired).toBe(true);
    useNotificationsStore.getState().dismiss(said?.id ?? 0);
    expect(useNotificationsStore.getState().items).toEqual([]);
  });
});

describe('wording', () => {
  it('E-017 and E-018: the title of a failure without its own', async () => {
    await startTestI18n();
    useNotificationsStore.setState({ items: [] });
    notifyFailure(new ApiError(500, { message: 'a' }), 'noSuchTitle');
    notifyFailure(new ApiError(500, { message: 'b' }), 'fetch');
    expect(useNotificationsStore.getState().items.map(({ message }) => message)).toEqual([
      'Unexpected error.',
      'Unable to fetch data from the server.',
    ]);
  });

  it('E-034: every title says "We failed to ..." or "Unable to ...", in French "... a échoué" or "Impossible de ..."', () => {
    const odd = (catalogue: { error: Record<string, string> }, style: RegExp) =>
      Object.entries(catalogue.error).filter(([key, text]) => !style.test(text) || (!EXACT.has(key) && !text.endsWith('.')));
    expect(odd(english, /^(We failed to|Unable to) \S/)).toEqual([]);
    expect(odd(french, /^Impossible d(e |'|’)|\ba échoué\.?$/)).toEqual([]);
  });
});

/** Phrases of earlier versions that readers did not understand, and two names for one thing. */
const ODD = {
  en: new RegExp(
    [
      'taken? (it )?back',
      'turn(ed)? round',
      'gives? up',
      'from elsewhere',
      'left empty',
      'is told',
      'in focus',
      'knows nothing',
      'is done to',
    ]
      .map((phrase) => `\\b${phrase}\\b`)
      .join('|'),
    'i',
  ),
  fr: /suggesteur|venus? d['’]ailleurs|laissé de côté/i,
};
const COMMAND = /pip install/;

describe('plain language', () => {
  const files = import.meta.glob<string>('./*/*.json', { query: '?raw', import: 'default', eager: true });
  const lines = Object.entries(files).flatMap(([path, text]) => text.split('\n').map((line) => [path, line] as const));

  it.each(['en', 'fr'] as const)('%s has none of the odd phrases', (language) => {
    expect(lines.filter(([path, line]) => path.startsWith(`./${language}/`) && ODD[language].test(line))).toEqual([]);
  });
  it('nobody is told to run a command: who can, reads it in the list of the command line', () => {
    expect(lines.filter(([, line]) => COMMAND.test(line))).toEqual([]);
  });
});
