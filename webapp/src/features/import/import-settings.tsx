import { ChevronDown, ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportOptions } from '@/api/resources/document-imports';
import { Badge } from '@/ui/badge';
import { SelectInput, SwitchRow } from '@/ui/choice-inputs';
import { ConverterSettings } from './converter-settings';
import { countChangedOptions, changeImportOptions, segmentationChoices } from './import-rules';
import { MetadataSplitSwitch } from './metadata-split';
import styles from './import.module.css';

export interface GroupOption {
  readonly name: string;
  readonly label?: string;
}

export interface ImportSettingsProps {
  readonly nature: string | undefined;
  readonly options: ImportOptions;
  readonly onChange: (options: ImportOptions) => void;
  /** Empty: the choice of an originating group is not offered. */
  readonly groups: readonly GroupOption[];
  readonly groupWanted: boolean;
  readonly onGroupWanted: (wanted: boolean) => void;
  readonly disabled: boolean;
  readonly project: string;
  readonly fileNames: readonly string[];
  /** Server errors of the converter forms; they open the settings. */
  readonly errors: readonly { readonly field: string; readonly message: string }[];
}

interface ImportSwitchesProps extends ImportSettingsProps {
  readonly change: (part: Partial<ImportOptions>) => void;
}

function ImportSwitches({ options, change, groups, groupWanted, onGroupWanted, disabled }: ImportSwitchesProps) {
  const { t } = useTranslation('import');
  return (
    <>
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
        <MetadataSplitSwitch checked={options.metadataSplit} disabled={disabled} onChange={(metadataSplit) => change({ metadataSplit })} />
        <SwitchRow
          label={t('categoriesFromFolder')}
          checked={options.categoriesFromFolder}
          disabled={disabled}
          onChange={(categoriesFromFolder) => change({ categoriesFromFolder })}
        />
      </div>
      <div className={styles['switches']}>
        <SwitchRow
          label={t('skipDuplicates')}
          help={t('skipDuplicatesHelp')}
          checked={options.skipDuplicates}
          disabled={disabled}
          onChange={(skipDuplicates) => change({ skipDuplicates })}
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
    </>
  );
}

/** D-005: collapsed, with the number of changed settings. */
export function ImportSettings(props: ImportSettingsProps) {
  const { nature, options, onChange, groups, groupWanted, disabled, project, fileNames, errors } = props;
  const { t } = useTranslation('import');
  const [wanted, setOpen] = useState(false);
  const open = wanted || errors.length > 0;
  const panel = useId();
  const changed = countChangedOptions(options, nature);
  const change = (part: Partial<ImportOptions>) => onChange(changeImportOptions(options, part));
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
          <SelectInput
            label={t('cleanText.label')}
            value={options.cleanText}
            disabled={disabled}
            onChange={(cleanText) => change({ cleanText })}
            options={(['default', 'true', 'false'] as const).map((value) => ({ value, label: t(`cleanText.${value}`) }))}
            help={t('cleanText.help')}
          />
          <ImportSwitches {...props} change={change} />
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
          <ConverterSettings
            project={project}
            options={options}
            onChange={onChange}
            fileNames={fileNames}
            errors={errors}
            disabled={disabled}
          />
        </div>
      )}
    </section>
  );
}
