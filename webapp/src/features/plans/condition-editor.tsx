import { useQuery } from '@tanstack/react-query';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { labelsQuery } from '@/api/resources/labels';
import type { ParameterValues } from '@/api/resources/plans';
import { Button } from '@/ui/button';
import { SelectInput } from '@/ui/choice-inputs';
import { TextInput } from '@/ui/field';
import { IconButton } from '@/ui/icon-button';
import { labelDisplayName } from '@/text/short-name';
import { NEW_RULE, parseCondition, parseRules, RULE_KINDS, rulesToCondition, type Rule, type Rules } from './condition-rule-conversion';
import type { FieldError } from './plan-rules';
import styles from './plans.module.css';

type Mode = 'always' | 'rules' | 'free';

export interface ConditionEditorProps {
  readonly project: string;
  readonly condition: ParameterValues | undefined;
  readonly onChange: (condition: ParameterValues | undefined) => void;
  readonly errors: readonly FieldError[];
  readonly disabled: boolean;
}

/** Labels of a project; a chosen label that no longer exists remains in the list. */
export function LabelSelect(props: {
  readonly project: string;
  readonly value: string;
  readonly onChange: (name: string) => void;
  readonly disabled: boolean;
}) {
  const { project, value, onChange, disabled } = props;
  const { t } = useTranslation('plans');
  const { data: labels = [] } = useQuery(labelsQuery(project));
  const options = labels.map(({ name, label }) => ({ value: name, label: labelDisplayName(label) }));
  const own = value === '' || options.some((one) => one.value === value) ? [] : [{ value, label: value }];
  return (
    <SelectInput
      label={t('condition.label')}
      placeholder={t('choose')}
      value={value}
      options={[...options, ...own]}
      onChange={onChange}
      disabled={disabled}
    />
  );
}

interface RuleRowProps {
  readonly project: string;
  readonly rule: Rule;
  readonly disabled: boolean;
  readonly onChange: (rule: Rule) => void;
  readonly onRemove: () => void;
}

function RuleRow({ project, rule, disabled, onChange, onRemove }: RuleRowProps) {
  const { t } = useTranslation('plans');
  const labelled = rule.kind === 'category' || rule.kind === 'annotation';
  const kinds = RULE_KINDS.flatMap((kind) => [
    { value: `+${kind}`, label: t(`condition.kind.${kind}`) },
    { value: `-${kind}`, label: t(`condition.not.${kind}`) },
  ]);
  return (
    <li className={styles['rule']}>
      <SelectInput
        label={t('condition.rule')}
        value={`${rule.negated ? '-' : '+'}${rule.kind}`}
        options={kinds}
        disabled={disabled}
        onChange={(chosen) => {
          const kind = RULE_KINDS.find((one) => one === chosen.slice(1)) ?? rule.kind;
          onChange({ ...rule, kind, negated: chosen.startsWith('-'), name: kind === rule.kind ? rule.name : '' });
        }}
      />
      {labelled ? (
        <LabelSelect project={project} value={rule.name} disabled={disabled} onChange={(name) => onChange({ ...rule, name })} />
      ) : (
        <TextInput
          label={t(rule.kind === 'text' ? 'condition.words' : 'condition.name')}
          value={rule.name}
          disabled={disabled}
          onChange={(name) => onChange({ ...rule, name })}
        />
      )}
      {rule.kind === 'metadataValue' && (
        <TextInput label={t('condition.value')} value={rule.value} disabled={disabled} onChange={(value) => onChange({ ...rule, value })} />
      )}
      <IconButton small icon={Trash2} label={t('condition.remove')} disabled={disabled} onClick={onRemove} />
    </li>
  );
}

function RuleList({
  project,
  rules: { together, rules },
  disabled,
  onChange,
}: Omit<ConditionEditorProps, 'condition' | 'onChange' | 'errors'> & {
  readonly rules: Rules;
  readonly onChange: (rules: Rules) => void;
}) {
  const { t } = useTranslation('plans');
  const change = (next: readonly Rule[]) => onChange({ together, rules: next });
  return (
    <div className={styles['rules']}>
      {rules.length > 1 && (
        <SelectInput
          label={t('condition.together')}
          value={together}
          options={(['and', 'or'] as const).map((value) => ({ value, label: t(`condition.${value}`) }))}
          onChange={(value) => onChange({ together: value, rules })}
          disabled={disabled}
        />
      )}
      <ul>
        {rules.map((rule, index) => (
          <RuleRow
            key={index}
            project={project}
            rule={rule}
            disabled={disabled}
            onChange={(next) => change(rules.map((one, place) => (place === index ? next : one)))}
            onRemove={() => change(rules.filter((_, place) => place !== index))}
          />
        ))}
      </ul>
      <div>
        <Button small icon={Plus} disabled={disabled} onClick={() => change([...rules, NEW_RULE])}>
          {t('condition.add')}
        </Button>
      </div>
    </div>
  );
}

/** JSON input for conditions that rules cannot express (C-081, free form). */
function FreeConditionField({
  condition,
  onChange,
  disabled,
  error,
}: Pick<ConditionEditorProps, 'condition' | 'onChange' | 'disabled'> & {
  readonly error: string | undefined;
}) {
  const { t } = useTranslation('plans');
  const [text, setText] = useState(() => JSON.stringify(condition ?? {}, null, 1));
  const wrong = parseCondition(text) === null;
  return (
    <TextInput
      label={t('condition.free')}
      help={t('condition.freeHelp')}
      rows={4}
      value={text}
      disabled={disabled}
      error={wrong ? t('condition.wrong') : error}
      onChange={(next) => {
        setText(next);
        onChange(parseCondition(next) ?? {});
      }}
    />
  );
}

/** When a step runs: always, by rules, or by a free condition (C-081). */
export function ConditionEditor({ project, condition, onChange, errors, disabled }: ConditionEditorProps) {
  const { t } = useTranslation('plans');
  const rules = parseRules(condition);
  const [mode, setMode] = useState<Mode>(() => (condition === undefined ? 'always' : rules === null ? 'free' : 'rules'));
  const wrong = errors.find(({ field }) => field.startsWith('condition'))?.message;
  const switchMode = (next: Mode) => {
    setMode(next);
    if (next === 'always') onChange(undefined);
    if (next === 'rules' && (rules === null || rules.rules.length === 0))
      onChange(rulesToCondition({ together: 'and', rules: [NEW_RULE] }));
    if (next === 'free') onChange(condition ?? {});
  };
  return (
    <div className={styles['condition']}>
      <SelectInput
        label={t('condition.title')}
        value={mode}
        options={(['always', 'rules', 'free'] as const).map((value) => ({ value, label: t(`condition.mode.${value}`) }))}
        onChange={switchMode}
        disabled={disabled}
        error={mode === 'rules' ? wrong : undefined}
      />
      {mode === 'rules' && rules !== null && (
        <RuleList
          project={project}
          rules={rules}
          disabled={disabled}
          onChange={(next) => (next.rules.length === 0 ? switchMode('always') : onChange(rulesToCondition(next)))}
        />
      )}
      {mode === 'free' && <FreeConditionField condition={condition} onChange={onChange} disabled={disabled} error={wrong} />}
    </div>
  );
}
