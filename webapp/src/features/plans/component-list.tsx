import { ChevronDown, ChevronRight, GripVertical, Search } from 'lucide-react';
import { useState, type DragEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { StepKind } from '@/api/resources/plans';
import { Badge } from '@/ui/badge';
import { TextInput } from '@/ui/field';
import { KIND_ICONS } from './kind-icons';
import { COMPONENT_DRAG, writeDragged } from './step-drag';
import type { ComponentGroup, OfferedComponent } from './use-plan-components';
import styles from './plan-page.module.css';

export interface ComponentListProps {
  readonly groups: readonly ComponentGroup[];
  readonly disabled: boolean;
  readonly onAdd: (component: OfferedComponent) => void;
}

const STATE_TONES = { disabled: 'warning', unavailable: 'error', optional: 'neutral' } as const;

/** Languages a component works on, and why it cannot be used. */
function ComponentBadges({ component }: { readonly component: OfferedComponent }) {
  const { t } = useTranslation('plans');
  const { languages, state, own } = component;
  return (
    <span className={styles['badges']}>
      {own === true && <Badge>{t('page.yours')}</Badge>}
      {state !== undefined && <Badge tone={STATE_TONES[state]}>{t(`page.state.${state}`)}</Badge>}
      {languages.length > 0 && (
        <Badge>{languages.length > 4 ? t('page.languages', { count: languages.length }) : languages.join(' ')}</Badge>
      )}
    </span>
  );
}

function ComponentRow({
  component,
  disabled,
  onAdd,
}: Pick<ComponentListProps, 'disabled' | 'onAdd'> & { readonly component: OfferedComponent }) {
  const { t } = useTranslation('plans');
  const { kind, name, title, description, state, reason } = component;
  const Icon = KIND_ICONS[kind];
  const usable = !disabled && state === undefined;
  const startDrag = (event: DragEvent) => writeDragged(event, COMPONENT_DRAG, { kind, name });
  return (
    <li className={styles['component']} draggable={usable} onDragStart={startDrag}>
      <button
        type="button"
        disabled={!usable}
        aria-label={t('page.addComponent', { title })}
        title={reason}
        onClick={() => onAdd(component)}
      >
        <Icon size={16} aria-hidden />
        <span className={styles['component-words']}>
          <span className={styles['component-title']}>
            <span>{title}</span>
            <ComponentBadges component={component} />
          </span>
          {description !== '' && <small>{description}</small>}
        </span>
      </button>
      {usable && <GripVertical size={14} aria-hidden />}
    </li>
  );
}

const matches = ({ title, description, name }: OfferedComponent, wanted: string) =>
  `${title} ${description} ${name}`.toLocaleLowerCase().includes(wanted.trim().toLocaleLowerCase());

/** Components to add by click, key or drag, in groups by kind. */
export function ComponentList({ groups, disabled, onAdd }: ComponentListProps) {
  const { t } = useTranslation('plans');
  const [wanted, setWanted] = useState('');
  const [closed, setClosed] = useState<ReadonlySet<StepKind>>(new Set());
  const searching = wanted.trim() !== '';
  const shown = groups.map(({ kind, components }) => ({ kind, components: components.filter((one) => matches(one, wanted)) }));
  const toggle = (kind: StepKind) => {
    const next = new Set(closed);
    if (!next.delete(kind)) next.add(kind);
    setClosed(next);
  };
  return (
    <div className={styles['components']}>
      <div className={styles['component-search']}>
        <TextInput
          label={t('page.findComponent')}
          hideLabel
          type="search"
          placeholder={t('page.findComponent')}
          start={<Search size={14} aria-hidden />}
          value={wanted}
          onChange={setWanted}
        />
      </div>
      {shown.every(({ components }) => components.length === 0) && <p className={styles['none']}>{t('page.noComponent')}</p>}
      {shown
        .filter(({ components }) => components.length > 0)
        .map(({ kind, components }) => {
          const open = searching || !closed.has(kind);
          return (
            <section key={kind} aria-label={t(`page.kinds.${kind}`)} className={styles['component-group']}>
              <h3>
                <button type="button" aria-expanded={open} onClick={() => toggle(kind)}>
                  {open ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
                  <span>{t(`page.kinds.${kind}`)}</span>
                  <span>{components.length}</span>
                </button>
              </h3>
              {open && (
                <ul>
                  {components.map((component) => (
                    <ComponentRow key={`${String(component.own)}-${component.name}`} {...{ component, disabled, onAdd }} />
                  ))}
                </ul>
              )}
            </section>
          );
        })}
    </div>
  );
}
