import { useTranslation } from 'react-i18next';
import type { Project } from '@/api/resources/projects';
import { SwitchRow } from '@/ui/choice-inputs';
import { useCan } from '@/state/session-store';
import { usePatchProject } from './use-patch-project';
import styles from './settings.module.css';

const SWITCHES = ['cleanHtml', 'markdownContent', 'replaceCarriageReturns'] as const;

/** S-041: treatment of imported and shown texts. Each change is saved immediately. */
export function ContentSettingsCard({ info, writable }: { readonly info: Project; readonly writable: boolean }) {
  const { t } = useTranslation('project');
  const save = usePatchProject(info.name);
  const may = useCan('changeProjectConfig') && writable;
  return (
    <section className={styles['card']}>
      <h2>{t('settings.texts')}</h2>
      {SWITCHES.map((name) => (
        <SwitchRow
          key={name}
          label={t(`settings.${name}`)}
          help={t(`settings.${name}Help`)}
          checked={info[name] === true}
          disabled={!may || save.isPending}
          onChange={(next) => save.mutate({ [name]: next })}
        />
      ))}
    </section>
  );
}
