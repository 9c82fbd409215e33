/** A term as stored; for a term of the knowledge base also its description. */
import { useQuery } from '@tanstack/react-query';
import { ExternalLink, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  conceptFromTermProperties,
  conceptQuery,
  isConceptId,
  wikipediaAndWikidataNames,
  pictureOf,
  type Concept,
  type Statement,
  type Term,
} from '@/api/resources/concepts';
import { useSessionStore } from '@/state/session-store';
import { CopyButton } from '@/ui/copy-button';
import { IconButton } from '@/ui/icon-button';
import styles from './term-card.module.css';

interface TermCardProps {
  readonly term: Term;
  /** Language of the document, used for definitions and names. */
  readonly language: string;
  readonly onDelete?: (() => void) | undefined;
}

export function TermCard({ term, language, onDelete }: TermCardProps): ReactNode {
  const { t } = useTranslation('terms');
  const { page, item } = wikipediaAndWikidataNames(term);
  const asks = useSessionStore(({ config }) => config.annotationDetails?.entityFishing === true);
  const { data: known } = useQuery(conceptQuery(page === '' ? item : page, language, asks));
  const concept = known ?? conceptFromTermProperties(term);
  const pictures = useSessionStore(({ config }) => config.annotationDetails?.wikipediaImage === true);
  const picture = pictures && concept ? pictureOf(concept) : undefined;
  const name = term.preferredForm ?? concept?.preferredTerm ?? term.identifier;
  const json = JSON.stringify(term, null, 2);
  return (
    <article className={styles['card']} aria-label={t('term', { name })}>
      <header>
        <strong dir="auto">{name}</strong>
        <CopyButton iconOnly small text={json} label={t('copy', { name })} />
        {onDelete && <IconButton small label={t('delete', { name })} icon={Trash2} onClick={onDelete} />}
      </header>
      {/* The name stands above it: the picture says nothing more to who does not see it. */}
      {picture !== undefined && <img src={picture} alt="" />}
      {concept && <ConceptView concept={concept} language={language} />}
      {concept === undefined && !asks && `${page}${item}` !== '' && <p>{t('noBase')}</p>}
      <ConceptLinks page={page} item={item} language={language} />
      <details>
        <summary>{t('json')}</summary>
        <pre tabIndex={0} aria-label={t('json')}>
          {json}
        </pre>
      </details>
    </article>
  );
}

function ConceptView({ concept, language }: { readonly concept: Concept; readonly language: string }): ReactNode {
  const { t } = useTranslation('terms');
  const statements = (concept.statements ?? []).filter(({ value }) => value !== undefined);
  return (
    <>
      {concept.definitions?.map(({ definition }) => (
        <p key={definition} dir="auto">
          {definition}
        </p>
      ))}
      {statements.length > 0 && (
        <dl aria-label={t('statements')}>
          {statements.map((statement, at) => (
            <StatementRow key={at} statement={statement} language={language} />
          ))}
        </dl>
      )}
    </>
  );
}

/** T-046: the id of another concept is replaced by its name on request. */
function StatementRow({ statement, language }: { readonly statement: Statement; readonly language: string }): ReactNode {
  const { t } = useTranslation('terms');
  const { propertyName = '', value } = statement;
  const [asked, ask] = useState(false);
  const id = isConceptId(value) ? value : '';
  const { data, isFetching } = useQuery(conceptQuery(id, language, asked));
  const known = data?.preferredTerm;
  return (
    <>
      <dt>{propertyName}</dt>
      <dd>
        {id === '' && <span dir="auto">{typeof value === 'object' ? JSON.stringify(value) : String(value)}</span>}
        {id !== '' && known !== undefined && <span dir="auto">{known}</span>}
        {id !== '' && known === undefined && (
          <button type="button" disabled={isFetching} aria-label={t('resolve', { id })} onClick={() => ask(true)}>
            {isFetching ? t('resolving') : id}
          </button>
        )}
      </dd>
    </>
  );
}

interface LinksProps {
  readonly page: string;
  readonly item: string;
  readonly language: string;
}

function ConceptLinks({ page, item, language }: LinksProps): ReactNode {
  const { t } = useTranslation('terms');
  const airGapped = useSessionStore(({ config }) => config.airGapped === true);
  const wiki = /^[a-z]{2}$/u.test(language) && language !== 'xx' ? language : 'en';
  const links = [
    ...(page === '' ? [] : [[t('encyclopedia'), `https://${wiki}.wikipedia.org/?curid=${encodeURIComponent(page)}`] as const]),
    ...(item === '' ? [] : [[t('knowledgeBase'), `https://www.wikidata.org/wiki/${encodeURIComponent(item)}`] as const]),
  ];
  if (airGapped || links.length === 0) return null;
  return (
    <ul>
      {links.map(([name, address]) => (
        <li key={address}>
          <a href={address} target="_blank" rel="noreferrer">
            {name} <ExternalLink size={12} strokeWidth={1.75} aria-hidden />
          </a>
        </li>
      ))}
    </ul>
  );
}
