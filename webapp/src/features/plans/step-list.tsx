import { Plus } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlanType } from '@/api/resources/plans';
import { Button } from '@/ui/button';
import { Menu } from '@/ui/menu';
import { errorsOfPart, stepKindsFor, withItemMoved, newStep, type FieldError, type StepDraft } from './plan-rules';
import { StepEditor } from './step-editor';
import styles from './plans.module.css';

export interface StepListProps {
  readonly project: string;
  readonly type: PlanType;
  readonly steps: readonly StepDraft[];
  readonly errors: readonly FieldError[];
  readonly disabled: boolean;
  readonly onChange: (steps: readonly StepDraft[]) => void;
}

/** Moves the focus after the list has rendered: to the first of the given selectors that matches. */
function useFocusAfterRender() {
  const list = useRef<HTMLElement>(null);
  const wanted = useRef<readonly string[]>([]);
  useEffect(() => {
    const found = wanted.current.flatMap((selector) => [...(list.current?.querySelectorAll<HTMLElement>(selector) ?? [])]);
    wanted.current = [];
    found[0]?.focus();
  });
  return { list, focusAfter: (...selectors: readonly string[]) => (wanted.current = selectors) };
}

const selectorInStep = (key: string, what: string) => `[data-step="${key}"] ${what}`;

/** Steps in order, which can be moved, removed and added by mouse or keyboard; the keyboard focus is preserved. */
export function StepList({ project, type, steps, errors, disabled, onChange }: StepListProps) {
  const { t } = useTranslation('plans');
  const { list, focusAfter } = useFocusAfterRender();
  const kinds = stepKindsFor(type);
  const move = (step: StepDraft, from: number, to: number) => {
    const [first, other] = to < from ? ['earlier', 'later'] : ['later', 'earlier'];
    focusAfter(...[first, other].map((act) => selectorInStep(step.key, `[data-act="${String(act)}"]:not(:disabled)`)));
    onChange(withItemMoved(steps, from, to));
  };
  const remove = (index: number) => {
    const next = steps[index + 1] ?? steps[index - 1];
    focusAfter(...(next === undefined ? [] : [selectorInStep(next.key, '[data-act="remove"]')]), '[data-act="add"]');
    onChange(steps.filter((_, place) => place !== index));
  };
  return (
    <section ref={list} className={styles['part']} aria-label={t('steps')}>
      <h3>{t('steps')}</h3>
      {type === 'conversion' && <p className={styles['quiet']}>{t('stepsHelp')}</p>}
      {errors
        .filter(({ field }) => field === 'pipeline')
        .map(({ message }) => (
          <p key={message} role="alert" className={styles['wrong']}>
            {message}
          </p>
        ))}
      <ol className={styles['steps']}>
        {steps.map((step, index) => (
          <StepEditor
            key={step.key}
            project={project}
            disabled={disabled}
            step={step}
            index={index}
            count={steps.length}
            errors={errorsOfPart(errors, `pipeline.${String(index)}`)}
            onChange={(next) => onChange(steps.map((one) => (one.key === step.key ? next : one)))}
            onMove={(to) => move(step, index, to)}
            onRemove={() => remove(index)}
          />
        ))}
      </ol>
      {kinds.length > 0 && (
        <div>
          <Menu
            label={t('addStep')}
            entries={kinds.map((kind) => ({ key: kind, label: t(`kind.${kind}`), onSelect: () => onChange([...steps, newStep(kind)]) }))}
            trigger={(props) => (
              <Button small icon={Plus} data-act="add" disabled={disabled} {...props}>
                {t('addStep')}
              </Button>
            )}
          />
        </div>
      )}
    </section>
  );
}
