import { CircleQuestionMark } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '@/ui/dialog';
import { IconButton } from '@/ui/icon-button';
import styles from './search.module.css';

/** Examples of query syntax, with the key of their explanation. */
const SIMPLE = [
  ['cat dog', 'any'],
  ['+cat -dog', 'must'],
  ['"cat and dog"', 'phrase'],
  ['cat*', 'prefix'],
  ['cat AND (dog OR bird)', 'group'],
] as const;
const ADVANCED = [
  ['cat AND dog', 'all'],
  ['cat NOT dog', 'not'],
  ['"cat dog"~3', 'near'],
  ['c?t*', 'wildcard'],
  ['brac1~1', 'fuzzy'],
  ['/brc[a]+1/', 'regex'],
  ['title:cat', 'field'],
  ['annotations:person', 'annotation'],
  ['categories:sport', 'category'],
  ['term:"lung cancer"', 'term'],
  ['metadata.author:"Marie Curie"', 'metadata'],
  ['metadata.year:[1990 TO 1999]', 'range'],
  ['createdDate:>=2026-01-31', 'date'],
  ['metadata.author:*', 'exists'],
  ['_exists_:title', 'hasField'],
  ['cat^2 dog', 'boost'],
] as const;

function QueryExamples({ examples }: { readonly examples: readonly (readonly [string, string])[] }): ReactNode {
  const { t } = useTranslation('search');
  return (
    <dl className={styles['examples']}>
      {examples.map(([written, meaning]) => (
        <div key={written}>
          <dt>
            <code>{written}</code>
          </dt>
          <dd>{t(`help.${meaning}`)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The two query languages, by example. */
export function QueryHelp({ simple }: { readonly simple: boolean }): ReactNode {
  const { t } = useTranslation('search');
  const [open, setOpen] = useState(false);
  const parts = [
    <section key="simple">
      <h3>{t('help.simple')}</h3>
      <p>{t('help.simpleText')}</p>
      <QueryExamples examples={SIMPLE} />
    </section>,
    <section key="advanced">
      <h3>{t('help.advanced')}</h3>
      <p>{t('help.advancedText')}</p>
      <QueryExamples examples={ADVANCED} />
    </section>,
  ];
  return (
    <>
      <IconButton label={t('help.open')} icon={CircleQuestionMark} onClick={() => setOpen(true)} />
      <Dialog open={open} title={t('help.title')} onClose={() => setOpen(false)}>
        <div className={styles['help']} role="group" tabIndex={0} aria-label={t('help.title')}>
          {simple ? parts : parts.reverse()}
        </div>
      </Dialog>
    </>
  );
}
