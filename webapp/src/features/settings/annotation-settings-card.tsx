import { useTranslation } from 'react-i18next';
import type { Project } from '@/api/resources/projects';
import { SelectInput, SwitchRow } from '@/ui/choice-inputs';
import { isStartRoute, START_ROUTES } from '@/state/start-routes';
import { useCan } from '@/state/session-store';
import { usePatchProject } from './use-patch-project';
import styles from './settings.module.css';

const DEFAULT = 'default';

/** S-041, V-003: how people annotate here, and the landing screen. Each change is saved immediately. */
export function AnnotationSettingsCard({ info, writable }: { readonly info: Project; readonly writable: boolean }) {
  const { t } = useTranslation(['project', 'shell']);
  const save = usePatchProject(info.name);
  const may = useCan('changeProjectConfig') && writable;
  const disabled = !may || save.isPending;
  const opening = info.routeOnOpenProject?.replace(/^\//, '');
  return (
    <section className={styles['card']}>
      <h2>{t('settings.annotating')}</h2>
      <SwitchRow
        label={t('settings.collaborativeAnnotation')}
        help={t('settings.collaborativeAnnotationHelp')}
        checked={info.collaborativeAnnotation === true}
        disabled={disabled}
        onChange={(next) => save.mutate({ collaborativeAnnotation: next })}
      />
      {info.nature === 'classification' && (
        <SwitchRow
          label={t('settings.exclusive')}
          help={t('settings.exclusiveHelp')}
          checked={info.classification?.exclusive_classes === true}
          disabled={disabled}
          onChange={(next) => save.mutate({ classification: { exclusive_classes: next } })}
        />
      )}
      <SelectInput
        label={t('settings.opening')}
        help={t('settings.openingHelp')}
        disabled={disabled}
        value={opening !== undefined && isStartRoute(opening) ? opening : DEFAULT}
        onChange={(next) => save.mutate({ routeOnOpenProject: (next === DEFAULT ? null : next) as string })}
        options={[
          { value: DEFAULT, label: t('settings.openingDefault') },
          ...START_ROUTES.map((id) => ({ value: id as string, label: t(`shell:title.${id}`) })),
        ]}
      />
    </section>
  );
}
