import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { DocumentSerializer } from '@/annotation/document-serializer';
import type { AnswerPassage } from '@/api/resources/answers';
import { textDirection } from '@/text/direction';
import { Tooltip } from '@/ui/tooltip';
import type { CitedPassage } from './answer-parts';
import { passagePath, titleOf } from './passage-list';
import styles from './answers.module.css';

/** Characters shown before and after the cited sentence. */
const AROUND = 220;

/** The cited sentence, marked inside its passage. */
function QuotedPassage({ citation, passage }: { readonly citation: CitedPassage; readonly passage: AnswerPassage }): ReactNode {
  const { start, end } = new DocumentSerializer(passage.text).range(citation.start, citation.end);
  const before = passage.text.slice(0, start);
  const after = passage.text.slice(end);
  return (
    <span className={styles['quote']} dir={textDirection(passage.text)}>
      {before.length > AROUND ? `…${before.slice(-AROUND)}` : before.trimStart()}
      <mark>{passage.text.slice(start, end)}</mark>
      {after.length > AROUND ? `${after.slice(0, AROUND)}…` : after.trimEnd()}
    </span>
  );
}

interface CitationMarkProps {
  readonly citation: CitedPassage;
  readonly passage: AnswerPassage;
  readonly onPoint: (number: number | undefined) => void;
}

/** The number of a citation: shows its passage while it is pointed at or focused, and opens the document at the sentence. */
export function CitationMark({ citation, passage, onPoint }: CitationMarkProps): ReactNode {
  const { t } = useTranslation('answers');
  const leave = () => onPoint(undefined);
  const enter = () => onPoint(citation.passage);
  return (
    <Tooltip title={<strong>{titleOf(passage)}</strong>} detail={<QuotedPassage {...{ citation, passage }} />}>
      <Link
        className={styles['citation']}
        to={passagePath(passage.documentIdentifier, citation.documentStart, citation.documentEnd)}
        aria-label={t('citation', { number: citation.passage, title: titleOf(passage) })}
        onMouseEnter={enter}
        onFocus={enter}
        onMouseLeave={leave}
        onBlur={leave}
      >
        {citation.passage}
      </Link>
    </Tooltip>
  );
}
