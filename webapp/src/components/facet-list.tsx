import { Check, ChevronDown, ChevronRight, Minus, Plus } from 'lucide-react';
import { useState, type KeyboardEvent, type MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useOpenPanels, useLayoutStore } from '@/state/layout-store';
import { Badge } from './badge';
import { useFormat } from './format';
import { Tooltip } from './tooltip';
import styles from './facets.module.css';

/** C-067 */
export type FacetSelector = '' | '+' | '-';

export interface FacetValue {
  readonly value: string;
  readonly label: string;
  readonly count: number;
  readonly colour?: string;
}

export interface Facet {
  readonly name: string;
  readonly label: string;
  readonly values: readonly FacetValue[];
}

export interface SelectedFacet {
  readonly facetName: string;
  readonly facetValue: string;
  readonly facetSelector: FacetSelector;
}

export interface FacetListProps {
  /** Screen name: remembers which panels are open (W-014). */
  readonly screen: string;
  /** Those without values are dropped (V-021). */
  readonly facets: readonly Facet[];
  readonly selected: readonly SelectedFacet[];
  readonly onChange: (selected: readonly SelectedFacet[]) => void;
  /** Values of one facet add up: include shows a tick (home). */
  readonly additive?: boolean;
}

const FIRST = 5;

/** C-014: cut with a tooltip when wider than 155 px or longer than 22 signs. */
export function isLongFacetLabel(label: string, width = 0): boolean {
  return width >= 155 || [...label].length > 22;
}

/** What a click does: empty, include, exclude, empty; `exclude` asks for exclusion at once. */
export function nextSelector(current: FacetSelector, exclude = false): FacetSelector {
  if (exclude) return current === '-' ? '' : '-';
  return current === '' ? '+' : current === '+' ? '-' : '';
}

export function withFacet(
  selected: readonly SelectedFacet[],
  facetName: string,
  facetValue: string,
  facetSelector: FacetSelector,
): readonly SelectedFacet[] {
  const others = selected.filter((item) => item.facetName !== facetName || item.facetValue !== facetValue);
  return facetSelector === '' ? others : [...others, { facetName, facetValue, facetSelector }];
}

/** `+label:Person` and back: how a selected facet travels. A value may hold colons. */
export const formatFacet = ({ facetName, facetValue, facetSelector }: SelectedFacet) => `${facetSelector}${facetName}:${facetValue}`;

export function parseFacet(text: string): SelectedFacet | null {
  const match = /^([+-]?)([^:]+):(.*)$/s.exec(text);
  if (match === null) return null;
  return { facetSelector: (match[1] === '' ? '+' : match[1]) as FacetSelector, facetName: match[2] ?? '', facetValue: match[3] ?? '' };
}

function ValueRow({
  value,
  state,
  additive,
  onChange,
}: {
  readonly value: FacetValue;
  readonly state: FacetSelector;
  readonly additive: boolean;
  readonly onChange: (next: FacetSelector) => void;
}) {
  const { t } = useTranslation('common');
  const format = useFormat();
  const click = (event: MouseEvent) => onChange(nextSelector(state, event.altKey));
  const key = (event: KeyboardEvent) => {
    if (event.key === 'x') onChange(state === '+' ? '' : '+');
    else if (event.key === 'X') onChange(nextSelector(state, true));
    else return;
    event.preventDefault();
  };
  const Sign = state === '-' ? Minus : additive ? Check : Plus;
  const said = state === '+' ? t('facet.included') : state === '-' ? t('facet.excluded') : '';
  return (
    <li>
      <button
        type="button"
        role="checkbox"
        aria-checked={state === '+' ? true : state === '-' ? 'mixed' : false}
        aria-label={t('facet.value', { name: value.label, count: value.count, number: format.number(value.count), state: said })}
        className={styles['value']}
        onClick={click}
        onKeyDown={key}
      >
        <span className={styles['box']} data-state={state}>
          {state !== '' && <Sign size={12} strokeWidth={3} aria-hidden />}
        </span>
        {value.colour !== undefined && <span className={styles['swatch']} style={{ backgroundColor: value.colour }} />}
        <Tooltip title={isLongFacetLabel(value.label) ? value.label : ''}>
          <span className={styles['name']}>{value.label}</span>
        </Tooltip>
        <span className={styles['count']}>{format.number(value.count)}</span>
      </button>
    </li>
  );
}

function FacetPanel({ facet, props }: { readonly facet: Facet; readonly props: FacetListProps }) {
  const { t } = useTranslation('common');
  const { screen, selected, onChange, additive = false } = props;
  const open = useOpenPanels(screen).includes(facet.name);
  const toggle = useLayoutStore((state) => state.togglePanel);
  const [all, setAll] = useState(false);
  const active = selected.filter((item) => item.facetName === facet.name);
  const stateOf = (value: string) => active.find((item) => item.facetValue === value)?.facetSelector ?? '';
  const shown = all ? facet.values : facet.values.filter((value, index) => index < FIRST || stateOf(value.value) !== '');
  const Arrow = open ? ChevronDown : ChevronRight;
  return (
    <section className={styles['panel']}>
      <h3>
        <button type="button" aria-expanded={open} onClick={() => toggle(screen, facet.name)}>
          <Arrow size={14} aria-hidden />
          <span>{facet.label}</span>
          {active.length > 0 && <Badge tone="primary">{active.length}</Badge>}
        </button>
      </h3>
      {open && (
        <ul>
          {shown.map((value) => (
            <ValueRow
              key={value.value}
              value={value}
              state={stateOf(value.value)}
              additive={additive}
              onChange={(next) => onChange(withFacet(selected, facet.name, value.value, next))}
            />
          ))}
          {(facet.values.length > shown.length || all) && facet.values.length > FIRST && (
            <li>
              <button type="button" className={styles['more']} onClick={() => setAll(!all)}>
                {all ? t('facet.fewer') : t('facet.more', { count: facet.values.length - shown.length })}
              </button>
            </li>
          )}
        </ul>
      )}
    </section>
  );
}

/** Click cycles empty, include, exclude; Alt click excludes; `x` and `Shift x` do the same by keyboard. */
export function FacetList(props: FacetListProps) {
  return (
    <div className={styles['facets']}>
      {props.facets
        .filter((facet) => facet.values.length > 0)
        .map((facet) => (
          <FacetPanel key={facet.name} facet={facet} props={props} />
        ))}
    </div>
  );
}
