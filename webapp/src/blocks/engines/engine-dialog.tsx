/** Creates or edits an experiment, suggester or gazetteer: engine, name, and parameters by the engine's schema. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '@/api/errors';
import { componentDefaultsQuery } from '@/api/resources/component-defaults';
import { engineFormQuery, enginesQuery, type EngineForm, type EngineType } from '@/api/resources/components';
import type { EngineSettings } from '@/api/resources/experiments';
import type { FormValues } from '@/forms/schema-form';
import { SelectInput } from '@/ui/choice-inputs';
import { FormDialog } from '@/ui/form-dialog';
import { TextInput } from '@/ui/field';
import { Skeleton } from '@/ui/placeholder-states';
import { ErrorState } from '@/blocks/error-state';
import styles from './engine-dialog.module.css';
import { EngineParameters } from './engine-parameters';
import { useEngineForms } from './use-engine-forms';

export interface EngineDialogProps {
  readonly project: string;
  readonly type: EngineType;
  readonly title: string;
  readonly submitLabel: string;
  /** Values of the edited or copied object; absent for a new one. */
  readonly initial?: EngineSettings;
  /** The engine of an existing object cannot be changed. */
  readonly engineFixed?: boolean;
  /** Returns a free name similar to the given one. */
  readonly hint: (label: string) => Promise<string>;
  /** V-029: `label` is never empty. The dialog closes when the promise resolves. */
  readonly onSave: (values: EngineSettings) => Promise<unknown>;
  readonly onClose: () => void;
  /** Error catalogue key for failures that belong to no field. */
  readonly errorTitle: string;
  readonly children?: ReactNode;
}

const FORM = 'engine-parameters';

/** Only parameters that the form knows: those of an older version are dropped, new ones get their default. */
function initialParameterValues(form: EngineForm, known: FormValues | undefined): FormValues {
  const properties = Object.keys((form.schema['properties'] as object | undefined) ?? {});
  const kept = Object.entries(known ?? {}).filter(([key]) => properties.includes(key));
  return { ...form.defaults, ...Object.fromEntries(kept) };
}

interface BodyProps {
  readonly props: EngineDialogProps;
  readonly engine: string;
  readonly form: EngineForm;
  readonly onBusy: (busy: boolean) => void;
}

/** Name and parameters of one engine; mounted again for another engine. */
function EngineFields({ props, engine, form, onBusy }: BodyProps) {
  const { t } = useTranslation('engines');
  const { initial, hint, onSave, onClose, errorTitle } = props;
  const wish = initial?.label ?? form.title;
  const proposed = useQuery({
    queryKey: ['label-hint', props.project, props.type, wish],
    queryFn: () => hint(wish),
    staleTime: 0,
    gcTime: 0,
    enabled: props.engineFixed !== true,
    meta: { errorTitle: 'getGeneratedLabelHint' },
  });
  const [typed, setTyped] = useState<string | null>(props.engineFixed === true ? wish : null);
  const [values, setValues] = useState<FormValues>(() =>
    initialParameterValues(form, initial?.engine === engine ? initial.parameters : undefined),
  );
  const fallback = proposed.data ?? wish;
  const save = useMutation({
    mutationFn: (parameters: FormValues) => onSave({ engine, label: (typed ?? '').trim() || fallback, parameters }),
    onMutate: () => onBusy(true),
    onSettled: () => onBusy(false),
    onSuccess: onClose,
    meta: { errorTitle },
  });
  const fields = save.error instanceof ApiError ? save.error.fields : [];
  return (
    <>
      <TextInput
        label={t('label')}
        value={typed ?? fallback}
        onChange={setTyped}
        placeholder={fallback}
        help={t('labelHelp')}
        maxLength={255}
      />
      {props.children}
      <section className={styles['parameters']} aria-label={t('parameters')}>
        <h3>{t('parameters')}</h3>
        <EngineParameters
          id={FORM}
          project={props.project}
          form={form}
          values={values}
          onChange={setValues}
          onSubmit={(parameters) => save.mutate(parameters)}
          faults={fields}
          disabled={save.isPending}
        />
      </section>
    </>
  );
}

/** What needs no annotations has its shortcut: the first choice learns from them. Without the defaults any engine is one. */
function useFirstEngine(names: readonly string[]): string {
  const { data: defaults, isPending } = useQuery({ ...componentDefaultsQuery, meta: { silent: true } });
  if (isPending) return '';
  const shortcut = defaults?.clustering.learners ?? [];
  return names.find((name) => !shortcut.includes(name)) ?? names[0] ?? '';
}

/** The engines to choose from, the chosen one and its form. */
function useEngineChoice({ project, type, initial }: EngineDialogProps) {
  const { t, i18n } = useTranslation('engines');
  const [chosen, choose] = useState(initial?.engine ?? '');
  const engines = useQuery({ ...enginesQuery(project, type), meta: { silent: true } });
  const titles = useEngineForms(project, type);
  const names = engines.data ?? [];
  const first = useFirstEngine(names);
  const engine = chosen || first;
  const form = useQuery({ ...engineFormQuery(project, type, engine, i18n.language), meta: { silent: true } });
  const options = (names.includes(engine) || engine === '' ? names : [...names, engine]).map((name) => {
    const title = titles.get(name)?.title ?? name;
    return { value: name, label: title, text: title };
  });
  const failed =
    engines.error !== null
      ? { query: engines, title: 'getEngines' }
      : form.error !== null
        ? { query: form, title: 'getEngineParams' }
        : null;
  const failure = failed !== null && (
    <ErrorState title={t(`errors:error.${failed.title}`)} error={failed.query.error} onRetry={() => void failed.query.refetch()} />
  );
  return { engine, choose, options, form: form.data, failure, none: engines.data?.length === 0 && engine === '' };
}

export function EngineDialog(props: EngineDialogProps) {
  const { t } = useTranslation('engines');
  const [busy, setBusy] = useState(false);
  const { engine, choose, options, form, failure, none } = useEngineChoice(props);
  const { onClose } = props;
  const fields = () => {
    if (failure !== false) return failure;
    if (form !== undefined) return <EngineFields key={engine} props={props} engine={engine} form={form} onBusy={setBusy} />;
    return none ? null : <Skeleton rows={4} rowHeight={56} />;
  };
  return (
    <FormDialog title={props.title} onClose={onClose} submitLabel={props.submitLabel} busy={busy} disabled={form === undefined} form={FORM}>
      <div className={styles['body']}>
        {none ? (
          <p>{t('none')}</p>
        ) : (
          <SelectInput
            label={t('engine')}
            value={engine}
            options={options}
            onChange={choose}
            disabled={props.engineFixed === true || busy}
            help={form?.description}
          />
        )}
        {fields()}
      </div>
    </FormDialog>
  );
}
