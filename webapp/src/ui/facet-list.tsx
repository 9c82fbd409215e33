import { Check, ChevronDown, ChevronRight, Minus, Plus } from 'lucide-react';
import { useDeferredValue, useRef, useState, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { nextSelector, withFacet, type FacetSelector, type SelectedFacet } from '@/state/facet-selection';
import { useOpenPanels, useLayoutStore } from '@/state/layout-store';
import { Badge } from './badge';
import { useFormat } from './format';
import { ShortenedText } from './shortened-text';
import { Tooltip } from './tooltip';
import styles from './facets.module.css';

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
  /** Number of items with values that are not listed (W-015). */
  readonly rest?: number;
}

export interface FacetListProps {
  /** Screen name under which the open panels are stored (W-014). */
  readonly screen: string;
  /** Those without values are dropped (V-021). */
  readonly facets: readonly Facet[];
  readonly selected: readonly SelectedFacet[];
  readonly onChange: (selected: readonly SelectedFacet[]) => void;
  /** Values of one facet are alternatives: include shows a tick (home). */
  readonly additive?: boolean;
  /** Finds values that are not listed; renders the matches for the query with `list` (undefined: loading). */
  readonly renderFound?: (facet: Facet, text: string, list: (values: readonly FacetValue[] | undefined) => ReactNode) => ReactNode;
  /** Below the values of an open panel. */
  readonly renderMore?: (facet: Facet) => ReactNode;
}

const FIRST = 5;
/** From this number of values on they can be searched. */
const FIND_FROM = 9;

/** C-014: truncated with a tooltip when it is 155 px or wider, or has more than 22 characters. */
export function isLongFacetLabel(label: string, width = 0): boolean {
  return width >= 155 || [...label].length > 22;
}

/** Its width is measured on hover, as fonts load late and drawers are resized. */
function FacetLabel({ label }: { readonly label: string }) {
  const [width, setWidth] = useState(0);
  const text = useRef<HTMLSpanElement>(null);
  const measure = () => setWidth(text.current?.getBoundingClientRect().width ?? 0);
  return (
    <Tooltip title={isLongFacetLabel(label, width) ? label : ''} delay="slow">
      <span className={styles['name']} onPointerEnter={measure}>
        <span ref={text}>
          <ShortenedText text={label} />
        </span>
      </span>
    </Tooltip>
  );
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
        <FacetLabel label={value.label} />
        <span className={styles['count']}>{format.number(value.count)}</span>
      </button>
    </li>
  );
}

function FacetValueRows({
  facet,
  values,
  props,
}: {
  readonly facet: Facet;
  readonly values: readonly FacetValue[];
  readonly props: FacetListProps;
}) {
  const { selected, onChange, additive = false } = props;
  const stateOf = (value: string) =>
    selected.find((item) => item.facetName === facet.name && item.facetValue === value)?.facetSelector ?? '';
  return values.map((value) => (
    <ValueRow
      key={value.value}
      value={value}
      state={stateOf(value.value)}
      additive={additive}
      onChange={(next) => onChange(withFacet(selected, facet.name, value.value, next))}
    />
  ));
}

/** Values that contain the query: among those listed, or all values of a long facet if the screen can search them. */
function FoundFacetValues({ facet, text, props }: { readonly facet: Facet; readonly text: string; readonly props: FacetListProps }) {
  const { t } = useTranslation('common');
  const list = (values: readonly FacetValue[] | undefined) => (
    <ul>
      <FacetValueRows facet={facet} values={values ?? []} props={props} />
      {values?.length === 0 && <li className={styles['none']}>{t('facet.noValue')}</li>}
    </ul>
  );
  if ((facet.rest ?? 0) > 0 && props.renderFound !== undefined) return props.renderFound(facet, text, list);
  const wanted = text.toLowerCase();
  return list(facet.values.filter(({ label }) => label.toLowerCase().includes(wanted)));
}

function FirstFacetValues({ facet, props }: { readonly facet: Facet; readonly props: FacetListProps }) {
  const { t } = useTranslation('common');
  const format = useFormat();
  const [all, setAll] = useState(false);
  const { selected } = props;
  const isSelected = (value: string) => selected.some((item) => item.facetName === facet.name && item.facetValue === value);
  const shown = all ? facet.values : facet.values.filter(({ value }, index) => index < FIRST || isSelected(value));
  const { rest = 0 } = facet;
  return (
    <ul>
      <FacetValueRows facet={facet} values={shown} props={props} />
      {rest > 0 && shown.length === facet.values.length && (
        <li className={styles['rest']}>
          <span className={styles['name']}>{t('facet.rest')}</span>
          <span className={styles['count']}>{format.number(rest)}</span>
        </li>
      )}
      {(facet.values.length > shown.length || all) && facet.values.length > FIRST && (
        <li>
          <button type="button" className={styles['more']} onClick={() => setAll(!all)}>
            {all ? t('facet.fewer') : t('facet.more', { count: facet.values.length - shown.length })}
          </button>
        </li>
      )}
    </ul>
  );
}

function FacetPanelBody({ facet, props }: { readonly facet: Facet; readonly props: FacetListProps }) {
  const { t } = useTranslation('common');
  const [text, setText] = useState('');
  const asked = useDeferredValue(text.trim());
  const long = facet.values.length >= FIND_FROM || (facet.rest ?? 0) > 0;
  return (
    <>
      {(long || text !== '') && (
        <input
          type="search"
          className={styles['find']}
          value={text}
          placeholder={t('facet.find')}
          aria-label={t('facet.findIn', { facet: facet.label })}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      {asked === '' ? <FirstFacetValues facet={facet} props={props} /> : <FoundFacetValues facet={facet} text={asked} props={props} />}
      {props.renderMore?.(facet)}
    </>
  );
}

function FacetPanel({ facet, props }: { readonly facet: Facet; readonly props: FacetListProps }) {
  const { screen, selected } = props;
  const open = useOpenPanels(screen).includes(facet.name);
  const toggle = useLayoutStore((state) => state.togglePanel);
  const active = selected.filter((item) => item.facetName === facet.name);
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
      {open && <FacetPanelBody facet={facet} props={props} />}
    </section>
  );
}

/** A click cycles empty, include, exclude; Alt click excludes; `x` and `Shift x` do the same by keyboard. */
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
