/** D-012, scope currentSearch: annotates the found documents with an annotator. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { annotateFound } from '@/api/resources/bulk-actions';
import { isActive, projectJobsQuery } from '@/api/resources/jobs';
import { corpusAnnotationObstacle, useAnnotatorChoices } from '@/blocks/engines/annotate-corpus-dialog';
import { SelectInput } from '@/ui/choice-inputs';
import { useFormat } from '@/ui/format';
import { EmailOption } from '@/blocks/jobs/email-option';
import { BulkDialog, useBulkState, type BulkDialogProps } from './bulk-dialog';

export function AnnotateDialog(props: BulkDialogProps) {
  const { t } = useTranslation(['bulk', 'annotate']);
  const format = useFormat();
  const state = useBulkState(props);
  const { choices, help } = useAnnotatorChoices(props.project);
  const { data: jobs = [] } = useQuery({ ...projectJobsQuery(props.project), meta: { silent: true } });
  const [chosen, setChosen] = useState('');
  const [mail, setMail] = useState(false);
  const current = chosen || (choices[0]?.value ?? '');
  const obstacle = corpusAnnotationObstacle(undefined, jobs.filter(isActive));
  const count = state.count?.documents ?? 0;
  const words = { count, number: format.number(count) };
  return (
    <BulkDialog
      {...props}
      title={t('annotate.title')}
      state={state}
      effect={obstacle === null ? t('annotate.effect', words) : t(`annotate:obstacle.${obstacle}`)}
      verb={t('annotate.verb', words)}
      valid={current !== '' && obstacle === null}
      errorTitle="annotateCorpus"
      run={(search) => annotateFound(props.project, search, { annotator: current, emailNotification: mail })}
    >
      <SelectInput label={t('annotate:annotator')} value={current} options={choices} onChange={setChosen} help={help} />
      <EmailOption checked={mail} onChange={setMail} />
    </BulkDialog>
  );
}
