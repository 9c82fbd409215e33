/** Keys of screens whose passages are judged: from passage to passage, and the grade of the one with the focus. */
import { useTranslation } from 'react-i18next';
import { GRADES } from '@/api/resources/questions';
import { useCommands, type Command } from '@/ui/command-registry';

const JUDGEMENT = '[data-judgement]';

/** The grades of the passage that has the focus, or whose list item has it. */
function focusedJudgement(): HTMLElement | null {
  const { activeElement } = document;
  return activeElement?.closest<HTMLElement>(JUDGEMENT) ?? activeElement?.closest('li')?.querySelector<HTMLElement>(JUDGEMENT) ?? null;
}

const pressed = (judgement: Element) => judgement.querySelector<HTMLButtonElement>('[aria-pressed="true"]');

function moveToPassage(step: 1 | -1): void {
  const all = [...document.querySelectorAll<HTMLElement>(JUDGEMENT)];
  const here = focusedJudgement();
  const at = here === null ? (step === 1 ? -1 : all.length) : all.indexOf(here);
  const next = all[Math.min(all.length - 1, Math.max(0, at + step))];
  if (next === undefined) return;
  next.focus();
}

export function useJudgingKeys(enabled: boolean): void {
  const { t } = useTranslation('questions');
  useCommands(() => {
    if (!enabled) return [];
    const command = (id: string, title: string, keys: readonly string[], run: () => void): Command => ({
      ...{ id: `judging.${id}`, section: 'screen', title, keys, run },
    });
    return [
      command('next', t('keys.next'), ['J'], () => moveToPassage(1)),
      command('previous', t('keys.previous'), ['K'], () => moveToPassage(-1)),
      ...GRADES.map((grade) =>
        command(`grade${String(grade)}`, t('keys.grade', { name: t(`grade.${String(grade)}`) }), [String(grade)], () => {
          const button = focusedJudgement()?.querySelector<HTMLButtonElement>(`[data-grade="${String(grade)}"]`);
          if (button?.getAttribute('aria-pressed') === 'false') button.click();
        }),
      ),
      command('clear', t('keys.clear'), ['Backspace'], () => {
        const judgement = focusedJudgement();
        if (judgement !== null) pressed(judgement)?.click();
      }),
    ];
  });
}
