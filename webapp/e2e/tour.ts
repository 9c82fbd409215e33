/** The steps of the tour in README.md, read from its text. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export type TourAction =
  | { readonly do: 'fill'; readonly field: string; readonly text: string }
  | { readonly do: 'choose'; readonly field: string; readonly option: string }
  | { readonly do: 'drop'; readonly file: string }
  | { readonly do: 'press'; readonly key: string }
  | { readonly do: 'see'; readonly text: string }
  | { readonly do: 'click'; readonly name: string }
  | { readonly do: 'first row' }
  | { readonly do: 'select words' };

export interface TourStep {
  readonly number: number;
  readonly text: string;
  readonly actions: readonly TourAction[];
}

const ACTION = new RegExp(
  [
    'enter `(?<text>[^`]+)` as \\*(?<field>[^*]+)\\*',
    'choose \\*(?<option>[^*]+)\\* as \\*(?<list>[^*]+)\\*',
    '[Dd]rop `(?<file>[^`]+)`',
    '[Pp]ress `(?<key>[^`]+)`',
    '\\*\\*(?<seen>[^*]+)\\*\\*',
    '\\*(?<name>[^*]+)\\*',
    '(?<row>the first row)',
    '(?<words>select a few words)',
  ].join('|'),
  'gu',
);

function actionOf(found: Readonly<Record<string, string | undefined>>): TourAction {
  const { text, field, option, list, file, key, seen, name, row } = found;
  if (text !== undefined && field !== undefined) return { do: 'fill', field, text };
  if (option !== undefined && list !== undefined) return { do: 'choose', field: list, option };
  if (file !== undefined) return { do: 'drop', file };
  if (key !== undefined) return { do: 'press', key };
  if (seen !== undefined) return { do: 'see', text: seen };
  if (name !== undefined) return { do: 'click', name };
  return row === undefined ? { do: 'select words' } : { do: 'first row' };
}

/** The numbered steps with what each asks the reader to do, in order. */
export function tourSteps(readme = readFileSync(join(ROOT, 'README.md'), 'utf-8')): readonly TourStep[] {
  const section = /^## Ten-minute tour\n(?<body>[\s\S]*?)(?=^## |^Public corpora)/mu.exec(readme)?.groups?.['body'] ?? '';
  return [...section.matchAll(/^(?<number>\d+)\. (?<text>[\s\S]*?)(?=^\d+\. |\n\n|$(?![\s\S]))/gmu)].map(({ groups = {} }) => {
    const text = (groups['text'] ?? '').replace(/\s+/gu, ' ').trim();
    return {
      number: Number(groups['number']),
      text,
      actions: [...text.matchAll(ACTION)].map((match) => actionOf(match.groups ?? {})),
    };
  });
}
