import { ChevronDown, ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportOptions } from '@/api/resources/uploads';
import { Badge } from '@/components/badge';
import { SelectInput, SwitchRow } from '@/components/choices';
import { changedCount, changeOptions, segmentationChoices } from './import-rules';
import styles from './import.module.css';

export interface Group {
  readonly name: string;
  readonly label?: string;
}

export interface ImportSettingsProps {
  readonly nature: string | undefined;
  readonly options: ImportOptions;
  readonly onChange: (options: ImportOptions) => void;
  /** Empty: originating groups are not offered. */
  readonly groups: readonly Group[];
  readonly groupWanted: boolean;
  readonly onGroupWanted: (wanted: boolean) => void;
  readonly disabled: boolean;
}

/** D-005: folded, with the number of what differs from the defaults. */
export function ImportSettings({ nature, options, onChange, groups, groupWanted, onGroupWanted, disabled }: ImportSettingsProps) {
  const { t } = useTranslation('import');
  const [open, setOpen] = useState(false);
  const panel = useId();
  const changed = changedCount(options, nature);
  const change = (part: Partial<ImportOptions>) => onChange(changeOptions(options, part));
  const Arrow = open ? ChevronDown : ChevronRight;
  return (
    <section className={styles['settings']}>
      <h3>
        <button type="button" aria-expanded={open} aria-controls={panel} onClick={() => setOpen(!open)}>
          <Arrow size={14} aria-hidden />
          <span>{t('advanced')}</span>
          {changed > 0 && <Badge tone="primary">{t('changed', { count: changed })}</Badge>}
        </button>
      </h3>
      {open && (
        <div id={panel} className={styles['settings-body']}>
          <SelectInput
            label={t('segmentation')}
            value={options.segmentation}
            disabled={disabled}
            onChange={(segmentation) => change({ segmentation })}
            options={segmentationChoices(nature).map((value) => ({ value, label: t(`policy.${value}`) }))}
            help={t(`policyHelp.${options.segmentation}`)}
          />
          <div className={styles['switches']}>
            <SwitchRow
              label={t('ignoreLabelling')}
              checked={options.ignoreLabelling}
              disabled={disabled}
              onChange={(ignoreLabelling) => change({ ignoreLabelling })}
            />
            <SwitchRow
              label={t('splitCorpus')}
              checked={options.splitCorpus}
              disabled={disabled || options.ignoreLabelling}
              onChange={(splitCorpus) => change({ splitCorpus })}
              {...(options.ignoreLabelling && { help: t('splitLocked') })}
            />
            <SwitchRow
              label={t('categoriesFromFolder')}
              checked={options.categoriesFromFolder}
              disabled={disabled}
              onChange={(categoriesFromFolder) => change({ categoriesFromFolder })}
            />
            {groups.length > 0 && (
              <SwitchRow
                label={t('group')}
                help={t('groupHelp')}
                checked={groupWanted}
                disabled={disabled}
                onChange={(wanted) => {
                  onGroupWanted(wanted);
                  if (!wanted) change({ group: '' });
                }}
              />
            )}
          </div>
          {groupWanted && groups.length > 0 && (
            <SelectInput
              required
              label={t('originatingGroup')}
              value={options.group}
              disabled={disabled}
              onChange={(group) => change({ group })}
              options={groups.map((group) => ({ value: group.name, label: group.label || group.name }))}
              error={options.group === '' ? t('groupMissing') : undefined}
            />
          )}
        </div>
      )}
    </section>
  );
}
