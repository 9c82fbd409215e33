import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { engineFormQuery } from '@/api/resources/components';
import type { Job } from '@/api/resources/jobs';
import { choiceTitle, fieldTitle } from '@/forms/form-texts';
import { flattenParameters, type FlatParameter } from './flatten-parameters';
import styles from './jobs.module.css';

const titleFromName = (name: string) => name.replace(/[._]+/g, ' ').trim();

/** Names and values as in the forms of the web app; others are shown as the server names them. */
function useParameterTexts(job: Job) {
  const { t, i18n } = useTranslation(['jobs', 'import']);
  const given = job.parameters?.['engine'];
  const engine = typeof given === 'string' ? given : '';
  const { data: form } = useQuery({
    ...engineFormQuery(job.project ?? '', job.type === 'EXPERIMENT_TRAINING' ? 'learner' : 'suggester', engine, i18n.language),
    meta: { silent: true },
  });
  const plain = (value: FlatParameter['value']): string => {
    if (typeof value === 'boolean') return t(value ? 'common:yes' : 'common:no');
    if (typeof value === 'number') return value.toLocaleString(i18n.language);
    return Array.isArray(value) ? value.join(', ') : String(value);
  };
  return {
    title: ({ name, part }: FlatParameter): string => {
      const own = part === null ? undefined : fieldTitle(form?.schema, name);
      const title = own ?? t(`parameter.${name}`, { defaultValue: titleFromName(name) });
      return part === null || own !== undefined ? title : `${title} (${t(`part.${part}`)})`;
    },
    value: ({ name, value }: FlatParameter): string => {
      if (name === 'engine' && form !== undefined) return form.title;
      if (name === 'segmentation_policy') return t(`import:policy.${String(value)}`, { defaultValue: String(value) });
      return choiceTitle(form?.schema, name, value) ?? plain(value);
    },
  };
}

/** B-004: the parameters of the job, one per line. */
export function JobParameters({ job }: { readonly job: Job }) {
  const { t } = useTranslation('jobs');
  const say = useParameterTexts(job);
  const parameters = flattenParameters(job.parameters ?? {});
  if (parameters.length === 0) return null;
  return (
    <section className={styles['parameters']}>
      <h3>{t('parameters')}</h3>
      <dl>
        {parameters.map((parameter) => (
          <div key={`${parameter.part ?? ''}/${parameter.name}`}>
            <dt>{say.title(parameter)}</dt>
            <dd>{say.value(parameter)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
