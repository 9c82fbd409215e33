import { Copy, Ellipsis, GitFork, MoveDown, MoveUp, Power, Trash2 } from 'lucide-react';
import type { DragEvent, KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { StepKind } from '@/api/resources/plans';
import { Badge } from '@/ui/badge';
import { IconButton } from '@/ui/icon-button';
import { Menu, type MenuEntry } from '@/ui/menu';
import { KIND_ICONS } from './kind-icons';
import { isOnlyStep, type StepDraft } from './plan-rules';
import { STEP_DRAG, writeDragged } from './step-drag';
import type { PartSummary } from './use-step-summaries';
import styles from './plan-page.module.css';

interface PartBodyProps {
  readonly kind: StepKind;
  readonly summary: PartSummary;
  readonly disabled?: boolean;
  readonly current: boolean;
  readonly wrong: string | undefined;
  readonly name: string;
  readonly onSelect: () => void;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
}

/** Icon, title, kind and one line: selects the part. */
function PartBody({ kind, summary, current, wrong, name, onSelect, onKeyDown }: PartBodyProps) {
  const { t } = useTranslation('plans');
  const Icon = KIND_ICONS[kind];
  const problem = wrong ?? (summary.missing ? t('page.notInstalled') : undefined);
  return (
    <button
      type="button"
      className={styles['row-body']}
      aria-label={name}
      aria-current={current || undefined}
      data-row
      onClick={onSelect}
      onKeyDown={onKeyDown}
    >
      <Icon size={16} aria-hidden />
      <span className={styles['row-words']}>
        <span>
          <strong>{summary.title}</strong> <span className={styles['quiet']}>{t(`kind.${kind}`).toLocaleLowerCase()}</span>
        </span>
        {problem === undefined ? <small>{summary.text}</small> : <small className={styles['wrong']}>{problem}</small>}
      </span>
    </button>
  );
}

/** The converter of a conversion plan, or what segments: they have no number and stay in their place. */
export function FixedPartRow({ title, ...body }: Omit<PartBodyProps, 'name'> & { readonly title: string }) {
  return (
    <li className={styles['row']} data-current={body.current || undefined}>
      <span className={styles['number']} data-fixed aria-hidden />
      <div className={styles['row-box']}>
        <PartBody {...body} name={`${title}: ${body.summary.title}`} />
        <Badge>{title}</Badge>
      </div>
    </li>
  );
}

export interface StepRowProps {
  readonly step: StepDraft;
  readonly index: number;
  readonly count: number;
  readonly summary: PartSummary;
  readonly current: boolean;
  readonly wrong: string | undefined;
  readonly disabled: boolean;
  /** Where a dragged step would be dropped. */
  readonly drop: 'before' | 'after' | undefined;
  readonly onSelect: () => void;
  readonly onMove: (to: number) => void;
  readonly onCopy: () => void;
  readonly onRemove: () => void;
  readonly onToggle: () => void;
  readonly onFocusRow: (index: number) => void;
  readonly onDragOver: (event: DragEvent<HTMLLIElement>) => void;
}

/** Alt and arrows move the step, arrows alone the focus. */
function handleRowKey(event: KeyboardEvent, { index, disabled, onMove, onRemove, onFocusRow }: StepRowProps): void {
  const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
  const removes = event.key === 'Delete' && !disabled;
  if ((by === 0 && !removes) || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  if (removes) onRemove();
  else if (!event.altKey) onFocusRow(index + by);
  else if (!disabled) onMove(index + by);
}

function rowEntries(props: StepRowProps, t: (key: string) => string): MenuEntry[] {
  const { step, index, count, onMove, onCopy, onRemove, onToggle } = props;
  const remove: MenuEntry = { key: 'remove', label: t('page.remove'), icon: Trash2, danger: true, onSelect: onRemove };
  if (isOnlyStep(step.kind) && count === 1 && !step.disabled) return [remove];
  return [
    { key: 'up', label: t('page.moveUp'), icon: MoveUp, disabled: index === 0, onSelect: () => onMove(index - 1) },
    { key: 'down', label: t('page.moveDown'), icon: MoveDown, disabled: index === count - 1, onSelect: () => onMove(index + 1) },
    { key: 'copy', label: t('page.duplicate'), icon: Copy, onSelect: onCopy },
    { key: 'toggle', label: t(step.disabled ? 'page.switchOn' : 'page.switchOff'), icon: Power, onSelect: onToggle },
    { kind: 'divider', key: 'line' },
    remove,
  ];
}

/** One numbered step. */
export function StepRow(props: StepRowProps) {
  const { step, index, summary, current, wrong, disabled, drop, onSelect, onDragOver } = props;
  const { t } = useTranslation('plans');
  const title = t('stepTitle', { number: index + 1, kind: summary.title });
  const place = step.path === '' || step.path === 'document' ? '' : step.path;
  return (
    <li
      className={styles['row']}
      aria-label={title}
      data-step={step.key}
      data-current={current || undefined}
      data-off={step.disabled || undefined}
      data-drop={drop}
      draggable={!disabled}
      onDragStart={(event) => writeDragged(event, STEP_DRAG, { key: step.key })}
      onDragOver={onDragOver}
    >
      <span className={styles['number']} aria-hidden>
        {index + 1}
      </span>
      <div className={styles['row-box']}>
        <PartBody
          {...{ summary, current, wrong, onSelect }}
          kind={step.kind}
          name={title}
          onKeyDown={(event) => handleRowKey(event, props)}
        />
        <span className={styles['badges']}>
          {place !== '' && <Badge>{t(`page.place.${place}`, { defaultValue: place })}</Badge>}
          {step.condition !== undefined && (
            <Badge tone="info" icon={GitFork}>
              {t('page.conditional')}
            </Badge>
          )}
          {step.disabled && <Badge>{t('off')}</Badge>}
        </span>
        <Menu
          label={t('page.actionsOf', { title })}
          align="right"
          entries={rowEntries(props, (key) => t(key))}
          trigger={(trigger) => (
            <IconButton small icon={Ellipsis} label={t('page.actionsOf', { title })} disabled={disabled} {...(trigger as object)} />
          )}
        />
      </div>
    </li>
  );
}
