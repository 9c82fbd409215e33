import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { projectsQuery } from '@/api/resources/projects';
import { SelectInput } from '@/ui/choice-inputs';
import { TextInput } from '@/ui/field';
import { LabelSelect } from './condition-editor';
import { APPLY_TO, parseApplyToPath, type ApplyToKind } from './condition-rule-conversion';
import type { FieldError, StepDraft } from './plan-rules';
import styles from './plans.module.css';

export interface StepFieldsProps {
  readonly project: string;
  readonly step: StepDraft;
  readonly onChange: (step: StepDraft) => void;
  readonly errors: readonly FieldError[];
  readonly disabled: boolean;
}

/** Parts of a document that an annotator is applied to (C-081). */
export function ApplyToFields({ project, step, onChange, errors, disabled }: StepFieldsProps) {
  const { t } = useTranslation('plans');
  const read = parseApplyToPath(step.path);
  const [kind, setKind] = useState<ApplyToKind>(read.kind);
  const write = (path: string) => onChange({ ...step, path });
  const wrong = errors.find(({ field }) => field === 'applyTo.path')?.message;
  return (
    <div className={styles['pair']}>
      <SelectInput
        label={t('applyTo.title')}
        value={kind}
        options={APPLY_TO.map((value) => ({ value, label: t(`applyTo.${value}`) }))}
        disabled={disabled}
        error={kind === 'free' ? undefined : wrong}
        onChange={(next) => {
          setKind(next);
          write(next === 'label' ? `annotations[${read.label}]` : next === 'free' ? step.path || 'document' : next);
        }}
      />
      {kind === 'label' && (
        <LabelSelect project={project} value={read.label} disabled={disabled} onChange={(name) => write(`annotations[${name}]`)} />
      )}
      {kind === 'free' && (
        <TextInput
          label={t('applyTo.path')}
          help={t('applyTo.help')}
          value={step.path}
          onChange={write}
          disabled={disabled}
          error={wrong}
        />
      )}
    </div>
  );
}

/** S-053: an annotator may come from another project. */
export function AnnotatorProjectField({ project, step, onChange, disabled }: StepFieldsProps) {
  const { t } = useTranslation('plans');
  const { data = [] } = useQuery({ ...projectsQuery(), meta: { silent: true } });
  const others = data.filter(({ name }) => name !== project).map(({ name, label }) => ({ value: name, label }));
  if (others.length === 0 && step.projectName === '') return null;
  return (
    <SelectInput
      label={t('project')}
      value={step.projectName}
      options={[{ value: '', label: t('thisProject') }, ...others]}
      onChange={(projectName) => onChange({ ...step, projectName, name: '', parameters: {} })}
      disabled={disabled}
    />
  );
}
