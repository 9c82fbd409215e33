/**
 * W-021: a term with what its lexicon or the knowledge base has about it: definitions, forms by language, relatives, occurrences, and the
 * term as JSON. Relatives are followed within the card.
 */
import { ArrowLeft, BookMarked, Trash2, Unlink } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Term } from '@/api/resources/concepts';
import type { LexiconTerm } from '@/api/resources/terms';
import { labelColours } from '@/theme/label-colours';
import { useMode } from '@/theme/mode';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { CopyButton } from '@/ui/copy-button';
import { Disclosure } from '@/ui/disclosure';
import { useFormat } from '@/ui/format';
import { IconButton } from '@/ui/icon-button';
import { useCan, useProjectWritable } from '@/state/session-store';
import { TermConcept, useConcept } from './concept-view';
import { DeleteTermDialog } from './delete-term-dialog';
import { TermForms, TermProperties } from './term-facts';
import { TermOccurrences } from './term-occurrences';
import { isObsolete } from './term-properties';
import { TermRelatives } from './term-relatives';
import { useLinkedTerm, type LinkedTerm } from './use-linked-term';
import styles from './terms.module.css';

export interface TermCardProps {
  readonly project: string;
  readonly lexicon: string;
  readonly identifier: string;
  /** What an annotation says about the term: all there is for one of a knowledge base. */
  readonly term?: Term | undefined;
  /** For definitions and names; by default that of the interface. */
  readonly language?: string | undefined;
  /** Chooses another term for the annotation. */
  readonly onChange?: (() => void) | undefined;
  /** Removes the term from the annotation; the lexicon is unchanged. */
  readonly onUnlink?: (() => void) | undefined;
  /** Called after the term was deleted from its lexicon. */
  readonly onDeleted?: (() => void) | undefined;
}

export function TermCard(props: TermCardProps): ReactNode {
  return <FollowableCard key={`${props.project} ${props.lexicon} ${props.identifier}`} {...props} />;
}

/** The card of the term, or of the relative that was followed from it. */
function FollowableCard({ project, lexicon, identifier, term, language, onChange, onUnlink, onDeleted }: TermCardProps): ReactNode {
  const [followed, setFollowed] = useState<readonly string[]>([]);
  const format = useFormat();
  const relative = followed.at(-1);
  const linked = useLinkedTerm(project, { lexicon, identifier: relative ?? identifier }, relative === undefined ? term : undefined);
  const spoken = language ?? format.language;
  const back = () => setFollowed(followed.slice(0, -1));
  return (
    <OneTerm
      {...{ project, linked }}
      language={spoken}
      onBack={relative === undefined ? undefined : back}
      onFollow={(next) => setFollowed([...followed, next])}
      onDeleted={relative === undefined ? onDeleted : back}
      {...(relative === undefined && { onChange, onUnlink })}
    />
  );
}

interface OneTermProps extends Pick<TermCardProps, 'project' | 'onChange' | 'onUnlink' | 'onDeleted'> {
  readonly linked: LinkedTerm;
  readonly language: string;
  readonly onBack: (() => void) | undefined;
  readonly onFollow: (identifier: string) => void;
}

function OneTerm({ project, linked, language, onBack, onFollow, onChange, onUnlink, onDeleted }: OneTermProps): ReactNode {
  const { t } = useTranslation('terms');
  const { term, relatives, missing } = linked;
  const concept = useConcept(term, language);
  const name = term.preferredForm || concept?.preferredTerm || term.identifier;
  return (
    <article className={styles['card']} aria-label={t('term', { name })} aria-busy={linked.loading}>
      {onBack && (
        <Button small kind="quiet" icon={ArrowLeft} onClick={onBack}>
          {t('back')}
        </Button>
      )}
      <header>
        <strong dir="auto">{name}</strong>
        {isObsolete(term) && <Badge tone="warning">{t('obsolete')}</Badge>}
        <TermActions {...{ project, linked, name, onChange, onUnlink, onDeleted }} />
      </header>
      <LexiconLine linked={linked} />
      {missing && <p>{t('missing')}</p>}
      <TermConcept {...{ term, concept, language }} />
      <TermForms term={term} language={language} />
      {relatives && <TermRelatives {...{ relatives, onFollow }} />}
      <TermProperties term={term} />
      {project !== '' && <TermOccurrences project={project} term={term} name={name} />}
      <TermJson term={term} />
    </article>
  );
}

interface TermActionsProps extends Pick<OneTermProps, 'project' | 'linked' | 'onChange' | 'onUnlink' | 'onDeleted'> {
  readonly name: string;
}

function TermActions({ project, linked, name, onChange, onUnlink, onDeleted }: TermActionsProps): ReactNode {
  const { t } = useTranslation('terms');
  const { term, lexicon, missing } = linked;
  const [deleting, setDeleting] = useState(false);
  const permitted = useCan('importTerms');
  const writable = useProjectWritable();
  const deletable = permitted && writable && lexicon?.manualEditionAllowed === true && !missing;
  return (
    <>
      <CopyButton iconOnly small text={JSON.stringify(term, null, 2)} label={t('copy', { name })} />
      {onChange && <IconButton small label={t('change', { name })} icon={BookMarked} onClick={onChange} />}
      {onUnlink && <IconButton small label={t('unlink', { name })} icon={Unlink} onClick={onUnlink} />}
      {deletable && <IconButton small label={t('delete', { name })} icon={Trash2} onClick={() => setDeleting(true)} />}
      {deleting && (
        <DeleteTermDialog
          {...{ project, term, name }}
          lexicon={lexicon?.label ?? term.lexicon}
          onClose={() => setDeleting(false)}
          onDeleted={onDeleted}
        />
      )}
    </>
  );
}

/** The lexicon with its colour, and the identifier of the term in it. */
function LexiconLine({ linked: { term, lexicon } }: { readonly linked: LinkedTerm }): ReactNode {
  const mode = useMode();
  const colour = lexicon?.color === undefined || lexicon.color === '' ? undefined : labelColours(lexicon.color, mode).bar;
  const label = lexicon?.label ?? term.lexicon;
  return (
    <p className={styles['lexicon']}>
      {colour !== undefined && <span className={styles['dot']} style={{ backgroundColor: colour }} aria-hidden />}
      {label !== '' && <span>{label}</span>}
      <code>{term.identifier}</code>
    </p>
  );
}

/** A term can have a million forms: the text on the card is cut, the copied one is not. */
const MOST_JSON = 20_000;

function TermJson({ term }: { readonly term: LexiconTerm }): ReactNode {
  const { t } = useTranslation('terms');
  const json = JSON.stringify(term, null, 2);
  return (
    <Disclosure summary={t('json')}>
      <pre tabIndex={0} aria-label={t('json')}>
        {json.length > MOST_JSON ? `${json.slice(0, MOST_JSON)}…` : json}
      </pre>
    </Disclosure>
  );
}
