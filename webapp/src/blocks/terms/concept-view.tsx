/** What a knowledge base has about a term: picture, definitions, statements, and where to read on. */
import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  conceptFromTermProperties,
  conceptQuery,
  isConceptId,
  pictureOf,
  wikipediaAndWikidataNames,
  type Concept,
  type Statement,
  type Term,
} from '@/api/resources/concepts';
import { useSessionStore } from '@/state/session-store';
import styles from './terms.module.css';

/** The concept of the knowledge base, else what the properties of the term say; undefined: neither. */
export function useConcept(term: Term, language: string): Concept | undefined {
  const { page, item } = wikipediaAndWikidataNames(term);
  const connected = useSessionStore(({ config }) => config.annotationDetails?.entityFishing === true);
  const { data } = useQuery(conceptQuery(page === '' ? item : page, language, connected));
  return data ?? conceptFromTermProperties(term, language);
}

interface TermConceptProps {
  readonly term: Term;
  readonly concept: Concept | undefined;
  readonly language: string;
}

export function TermConcept({ term, concept, language }: TermConceptProps): ReactNode {
  const { t } = useTranslation('terms');
  const { page, item } = wikipediaAndWikidataNames(term);
  const connected = useSessionStore(({ config }) => config.annotationDetails?.entityFishing === true);
  const pictures = useSessionStore(({ config }) => config.annotationDetails?.wikipediaImage === true);
  const picture = pictures && concept ? pictureOf(concept) : undefined;
  return (
    <>
      {/* The name stands above it: the picture says nothing more to who does not see it. */}
      {picture !== undefined && <img className={styles['picture']} src={picture} alt="" />}
      {concept && <ConceptView concept={concept} language={language} />}
      {concept === undefined && !connected && `${page}${item}` !== '' && <p>{t('noBase')}</p>}
      <ConceptLinks page={page} item={item} language={language} />
    </>
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
  const [resolving, setResolving] = useState(false);
  const id = isConceptId(value) ? value : '';
  const { data, isFetching } = useQuery(conceptQuery(id, language, resolving));
  const known = data?.preferredTerm;
  return (
    <>
      <dt>{propertyName}</dt>
      <dd>
        {id === '' && <span dir="auto">{typeof value === 'object' ? JSON.stringify(value) : String(value)}</span>}
        {id !== '' && known !== undefined && <span dir="auto">{known}</span>}
        {id !== '' && known === undefined && (
          <button type="button" disabled={isFetching} aria-label={t('resolve', { id })} onClick={() => setResolving(true)}>
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
