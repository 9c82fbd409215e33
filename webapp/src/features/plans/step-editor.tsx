import { useQuery } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { projectsQuery } from '@/api/resources/projects';
import { SelectInput, SwitchRow } from '@/ui/choice-inputs';
import { TextInput } from '@/ui/field';
import { IconButton } from '@/ui/icon-button';
import { ComponentFields } from './component-fields';
import { ConditionEditor, LabelSelect } from './condition-editor';
import { APPLY_TO, parseApplyToPath, type ApplyToKind } from './condition-rule-conversion';
import type { FieldError, StepDraft } from './plan-rules';
import styles from './plans.module.css';

export interface StepEditorProps {
  readonly project: string;
  readonly step: StepDraft;
  readonly index: number;
  readonly count: number;
  readonly onChange: (step: StepDraft) => void;
  readonly onMove: (to: number) => void;
  readonly onRemove: () => void;
  readonly errors: readonly FieldError[];
  readonly disabled: boolean;
}

type PartProps = Pick<StepEditorProps, 'project' | 'step' | 'onChange' | 'errors' | 'disabled'>;

/** Parts of a document that an annotator is applied to (C-081). */
function ApplyToFields({ project, step, onChange, errors, disabled }: PartProps) {
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
function AnnotatorProjectField({ project, step, onChange, disabled }: PartProps) {
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

/** One step: its component, its target, its condition, and whether it is enabled. */
export function StepEditor({ index, count, onMove, onRemove, ...props }: StepEditorProps) {
  const { t } = useTranslation('plans');
  const { project, step, onChange, errors, disabled } = props;
  const title = t('stepTitle', { number: index + 1, kind: t(`kind.${step.kind}`) });
  return (
    <li className={styles['step']} data-step={step.key} data-off={step.disabled || undefined} aria-label={title}>
      <div className={styles['step-head']}>
        <h4>{title}</h4>
        <IconButton
          small
          icon={ArrowUp}
          data-act="earlier"
          label={t('earlier', { title })}
          disabled={disabled || index === 0}
          onClick={() => onMove(index - 1)}
        />
        <IconButton
          small
          icon={ArrowDown}
          data-act="later"
          label={t('later', { title })}
          disabled={disabled || index === count - 1}
          onClick={() => onMove(index + 1)}
        />
        <IconButton small icon={Trash2} data-act="remove" label={t('removeStep', { title })} disabled={disabled} onClick={onRemove} />
      </div>
      {step.kind === 'annotator' && <AnnotatorProjectField {...props} />}
      <ComponentFields
        project={project}
        kind={step.kind}
        part={step}
        errors={errors}
        disabled={disabled}
        onChange={({ name, parameters }) => onChange({ ...step, name, parameters })}
        {...(step.projectName !== '' && { source: step.projectName })}
      />
      {step.kind === 'annotator' && <ApplyToFields {...props} />}
      {step.kind !== 'vectorizer' && (
        <ConditionEditor
          project={project}
          condition={step.condition}
          onChange={(condition) => onChange({ ...step, condition })}
          errors={errors}
          disabled={disabled}
        />
      )}
      <SwitchRow
        label={t('stepWorks')}
        checked={!step.disabled}
        onChange={(works) => onChange({ ...step, disabled: !works })}
        disabled={disabled}
      />
    </li>
  );
}
