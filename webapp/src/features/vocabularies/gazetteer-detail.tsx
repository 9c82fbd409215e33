import { Copy, Pencil, RefreshCw, Square, Trash2, WandSparkles } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { EngineForm } from '@/api/resources/components';
import type { Gazetteer } from '@/api/resources/gazetteers';
import { jobFailureFix, jobMessage } from '@/api/resources/jobs';
import type { Lexicon } from '@/api/resources/lexicons';
import { EmailOption } from '@/blocks/jobs/email-option';
import { choiceTitle, fieldApplies, fieldTitle } from '@/forms/form-texts';
import { Button } from '@/ui/button';
import { FailureText } from '@/ui/failure-text';
import { useFormat } from '@/ui/format';
import { Notice } from '@/ui/notice';
import { When } from '@/ui/when';
import { GazetteerState, useFailedSynchronisation } from './gazetteer-state';
import type { GazetteerActions } from './use-gazetteers';
import styles from './vocabularies.module.css';

export interface GazetteerDetailProps {
  readonly gazetteer: Gazetteer;
  readonly form: EngineForm | undefined;
  readonly lexicons: readonly Lexicon[];
  readonly actions: GazetteerActions;
  readonly writable: boolean;
}

/** The names of the lexicons in a parameter of that kind; undefined for another one. */
export function lexiconNames(form: EngineForm | undefined, name: string, value: unknown, lexicons: readonly Lexicon[]): string | undefined {
  const properties = (form?.schema['properties'] ?? {}) as Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;
  if (properties[name]?.['x-widget'] !== 'lexicons' || !Array.isArray(value)) return undefined;
  return value.map((one) => lexicons.find((lexicon) => lexicon.name === one)?.label ?? String(one)).join(', ');
}

/** Engine and parameters, by their titles. */
function Parameters({ gazetteer, form, lexicons }: Pick<GazetteerDetailProps, 'gazetteer' | 'form' | 'lexicons'>) {
  const { t } = useTranslation('vocabularies');
  const format = useFormat();
  const textOf = (value: unknown): string => {
    if (typeof value === 'boolean') return t(value ? 'common:yes' : 'common:no');
    if (typeof value === 'number') return format.number(value);
    if (value === '' || (Array.isArray(value) && value.length === 0)) return '–';
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  const given = Object.entries(gazetteer.parameters).filter(([name]) => fieldApplies(form?.schema, name, gazetteer.parameters));
  return (
    <section>
      <h3>{t('parameters')}</h3>
      <dl className={styles['facts']}>
        <div>
          <dt>{t('engine')}</dt>
          <dd>{form?.title ?? gazetteer.engine}</dd>
        </div>
        {given.map(([name, value]) => (
          <div key={name}>
            <dt>{fieldTitle(form?.schema, name) ?? name}</dt>
            <dd>{lexiconNames(form, name, value, lexicons) ?? choiceTitle(form?.schema, name, value) ?? textOf(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function LastRun({ gazetteer }: Pick<GazetteerDetailProps, 'gazetteer'>) {
  const { t } = useTranslation('vocabularies');
  const format = useFormat();
  return (
    <section>
      <h3>{t('run')}</h3>
      <dl className={styles['facts']}>
        <div>
          <dt>{t('column.synchronised')}</dt>
          <dd>
            <When at={gazetteer.timestamp} />
          </dd>
        </div>
        <div>
          <dt>{t('duration')}</dt>
          <dd>{format.duration(gazetteer.duration)}</dd>
        </div>
      </dl>
    </section>
  );
}

function MoreButtons({ gazetteer, actions }: Pick<GazetteerDetailProps, 'gazetteer' | 'actions'>) {
  const { t } = useTranslation('vocabularies');
  return (
    <div className={styles['detail-more']}>
      <Button small icon={Pencil} onClick={() => actions.edit(gazetteer)}>
        {t('gazetteer.edit')}
      </Button>
      <Button small icon={Copy} onClick={() => actions.clone(gazetteer)}>
        {t('gazetteer.clone')}
      </Button>
      {gazetteer.models > 0 && (
        <Button small icon={WandSparkles} onClick={() => actions.annotateCorpus(gazetteer)}>
          {t('gazetteer.annotateCorpus')}
        </Button>
      )}
      <Button small kind="danger-text" icon={Trash2} onClick={() => actions.remove(gazetteer)}>
        {t('gazetteer.deleteShort')}
      </Button>
    </div>
  );
}

/** The right drawer of a gazetteer. */
export function GazetteerDetail({ gazetteer, form, lexicons, actions, writable }: GazetteerDetailProps) {
  const { t } = useTranslation('vocabularies');
  const failed = useFailedSynchronisation(gazetteer);
  const { missingLexicons: missing = [] } = gazetteer;
  return (
    <div className={styles['detail']}>
      <div className={styles['detail-body']}>
        <span>
          <GazetteerState gazetteer={gazetteer} />
        </span>
        {failed !== undefined && !gazetteer.running && (
          <FailureText>{[jobMessage(failed), jobFailureFix(failed)].filter(Boolean).join('. ')}</FailureText>
        )}
        {missing.length > 0 && (
          <Notice tone="warning">{t('gazetteer.missing', { count: missing.length, names: missing.join(', ') })}</Notice>
        )}
        <Parameters {...{ gazetteer, form, lexicons }} />
        {gazetteer.timestamp > 0 && <LastRun gazetteer={gazetteer} />}
        {writable && <EmailOption checked={gazetteer.emailNotification === true} onChange={() => actions.mail(gazetteer)} />}
        {writable && <MoreButtons {...{ gazetteer, actions }} />}
      </div>
      {writable && (
        <footer>
          {gazetteer.running ? (
            <Button icon={Square} onClick={() => actions.stop(gazetteer)}>
              {t('gazetteer.stop')}
            </Button>
          ) : (
            <Button
              kind={gazetteer.uptodate && gazetteer.models > 0 ? 'outline' : 'solid'}
              icon={RefreshCw}
              onClick={() => actions.synchronise(gazetteer)}
            >
              {t('gazetteer.synchronise')}
            </Button>
          )}
        </footer>
      )}
    </div>
  );
}
