import { useTranslation } from 'react-i18next';
import type { Job } from '@/api/resources/jobs';
import { flattenParameters, type FlatParameter } from './flatten-parameters';
import styles from './jobs.module.css';

const words = (name: string) => name.replace(/[._]+/g, ' ').trim();

function useValueText() {
  const { t } = useTranslation('common');
  return (value: FlatParameter['value']) => {
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
    return Array.isArray(value) ? value.join(', ') : String(value);
  };
}

/** B-004: what the job was asked for, one line a parameter. */
export function JobParameters({ job }: { readonly job: Job }) {
  const { t } = useTranslation('jobs');
  const text = useValueText();
  const parameters = flattenParameters(job.parameters ?? {});
  if (parameters.length === 0) return null;
  return (
    <section className={styles['parameters']}>
      <h3>{t('parameters')}</h3>
      <dl>
        {parameters.map(({ name, part, value }) => (
          <div key={`${part ?? ''}/${name}`}>
            <dt>
              {t(`parameter.${name}`, { defaultValue: words(name) })}
              {part !== null && ` (${t(`part.${part}`)})`}
            </dt>
            <dd>{text(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
