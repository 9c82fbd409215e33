import { Braces, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { StepKind } from '@/api/resources/plans';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { SwitchRow } from '@/ui/choice-inputs';
import { Notice } from '@/ui/notice';
import { TabPanel, Tabs } from '@/ui/tabs';
import { ComponentFields } from './component-fields';
import { ConditionEditor } from './condition-editor';
import { parseCondition } from './condition-rule-conversion';
import { JsonField } from './json-field';
import { errorsOfPart, isOnlyStep, type ComponentDraft, type FieldError, type PlanDraft, type StepDraft } from './plan-rules';
import { AnnotatorProjectField, ApplyToFields, type StepFieldsProps } from './step-fields';
import type { SelectedPart } from './step-line';
import { findComponent, type ComponentGroup } from './use-plan-components';
import styles from './plan-page.module.css';

type PanelTab = 'parameters' | 'when' | 'about';

export interface StepPanelProps {
  readonly project: string;
  readonly draft: PlanDraft;
  readonly groups: readonly ComponentGroup[];
  readonly selected: SelectedPart;
  readonly errors: readonly FieldError[];
  readonly disabled: boolean;
  /** `touched`: changes to the same thing are undone together. */
  readonly onChange: (draft: PlanDraft, touched: string) => void;
}

interface FormProps {
  readonly project: string;
  readonly kind: StepKind;
  readonly part: ComponentDraft;
  readonly onChange: (part: ComponentDraft) => void;
  readonly errors: readonly FieldError[];
  readonly disabled: boolean;
  readonly none?: string;
  readonly source?: string;
}

/** The component with its parameters, as a form or as JSON. */
function ParametersForm({ onChange, part, ...fields }: FormProps) {
  const { t } = useTranslation('plans');
  const [json, setJson] = useState(false);
  const write = (text: string) => {
    const parameters = parseCondition(text);
    if (parameters !== null) onChange({ name: part.name, parameters });
    return parameters !== null;
  };
  return (
    <>
      {json ? (
        <JsonField
          label={t('page.parametersJson')}
          help={t('page.parametersJsonHelp')}
          text={JSON.stringify(part.parameters, null, 2)}
          onText={write}
          rows={10}
          disabled={fields.disabled}
        />
      ) : (
        <ComponentFields part={part} onChange={onChange} {...fields} />
      )}
      {part.name !== '' && (
        <div className={styles['panel-foot']}>
          {fields.errors.length > 0 && <span className={styles['wrong']}>{t('page.toCorrect', { count: fields.errors.length })}</span>}
          <Button small icon={RotateCcw} disabled={fields.disabled} onClick={() => onChange({ name: part.name, parameters: {} })}>
            {t('page.restoreDefaults')}
          </Button>
          <Button small icon={Braces} aria-pressed={json} onClick={() => setJson(!json)}>
            {t(json ? 'page.editAsForm' : 'page.editAsJson')}
          </Button>
        </div>
      )}
    </>
  );
}

function AboutComponent({ groups, kind, name }: Pick<StepPanelProps, 'groups'> & { readonly kind: StepKind; readonly name: string }) {
  const { t } = useTranslation('plans');
  const component = findComponent(groups, kind, name);
  if (component === undefined) return <Notice tone="warning">{t(name === '' ? 'chooseComponent' : 'page.notInstalled')}</Notice>;
  const { description, languages, state, reason, own } = component;
  return (
    <>
      {state !== undefined && <Notice tone="error">{`${t(`page.stateText.${state}`)} ${reason ?? ''}`}</Notice>}
      <p>{own === true ? t('page.fromThisProject', { type: description }) : description}</p>
      <dl className={styles['facts']}>
        <dt>{t('page.kind')}</dt>
        <dd>{t(`kind.${kind}`)}</dd>
        <dt>{t('page.name')}</dt>
        <dd>
          <code>{name}</code>
        </dd>
        {own !== true && (
          <>
            <dt>{t('page.languagesOf')}</dt>
            <dd>{languages.length === 0 ? t('page.allLanguages') : languages.map((code) => <Badge key={code}>{code}</Badge>)}</dd>
          </>
        )}
      </dl>
    </>
  );
}

/** On what and when a step works. */
function WhenFields(props: StepFieldsProps) {
  const { t } = useTranslation('plans');
  const { project, step, onChange, errors, disabled } = props;
  return (
    <>
      <SwitchRow
        label={t('stepWorks')}
        help={t('page.offHelp')}
        checked={!step.disabled}
        onChange={(works) => onChange({ ...step, disabled: !works })}
        disabled={disabled}
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
    </>
  );
}

const isAboutWhen = ({ field }: FieldError): boolean => /^(condition|applyTo)/.test(field);

function StepForm({ step, errors, groups, ...shared }: StepFieldsProps & Pick<StepPanelProps, 'groups'>) {
  const { t } = useTranslation('plans');
  const when = errors.filter(isAboutWhen).length;
  const rest = errors.length - when;
  const [chosen, setChosen] = useState<PanelTab>('parameters');
  const count = (text: string, wrong: number) => (wrong === 0 ? text : `${text} (${String(wrong)})`);
  return (
    <>
      <Tabs<PanelTab>
        label={t('page.step')}
        value={chosen}
        onChange={setChosen}
        items={[
          { value: 'parameters', label: count(t('page.tab.parameters'), rest) },
          ...(isOnlyStep(step.kind) && !step.disabled && step.condition === undefined
            ? []
            : [{ value: 'when' as const, label: count(t('page.tab.when'), when) }]),
          { value: 'about', label: t('page.tab.about') },
        ]}
      />
      <TabPanel value={chosen}>
        <div className={styles['panel-body']}>
          {chosen === 'parameters' && (
            <>
              {step.kind === 'annotator' && <AnnotatorProjectField {...shared} {...{ step, errors }} />}
              <ParametersForm
                project={shared.project}
                kind={step.kind}
                part={step}
                errors={errors.filter((error) => !isAboutWhen(error))}
                disabled={shared.disabled}
                onChange={({ name, parameters }) => shared.onChange({ ...step, name, parameters })}
                {...(step.projectName !== '' && { source: step.projectName })}
              />
            </>
          )}
          {chosen === 'when' && <WhenFields {...shared} {...{ step, errors }} />}
          {chosen === 'about' && <AboutComponent {...{ groups }} kind={step.kind} name={step.name} />}
        </div>
      </TabPanel>
    </>
  );
}

/** The form of the part that is selected. */
export function StepPanel({ project, draft, groups, selected, errors, disabled, onChange }: StepPanelProps) {
  const { t } = useTranslation('plans');
  const index = draft.steps.findIndex(({ key }) => key === selected);
  const step = draft.steps[index];
  if (step !== undefined) {
    const write = (next: StepDraft) =>
      onChange({ ...draft, steps: draft.steps.map((one) => (one.key === next.key ? next : one)) }, `step:${step.key}`);
    return (
      <StepForm
        key={step.key}
        {...{ project, step, groups, disabled }}
        errors={errorsOfPart(errors, `pipeline.${String(index)}`)}
        onChange={write}
      />
    );
  }
  if (selected !== 'converter' && selected !== 'segmenter') return <p className={styles['none']}>{t('page.nothingSelected')}</p>;
  return (
    <div className={styles['panel-body']}>
      <ParametersForm
        key={selected}
        {...{ project, disabled }}
        kind={selected}
        part={draft[selected]}
        errors={errorsOfPart(errors, selected)}
        onChange={(part) => onChange({ ...draft, [selected]: part }, selected)}
        {...(selected === 'segmenter' && draft.type === 'conversion' && { none: t('asProject') })}
      />
    </div>
  );
}
