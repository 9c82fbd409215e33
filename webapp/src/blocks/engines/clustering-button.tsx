/** R-022, S-046: asks for the number of topics, then starts topic detection from the experiments screen. */
import { Shapes } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/button';
import { ClusteringDialog } from './clustering-dialog';

export interface ClusteringButtonProps {
  readonly project: string;
  /** Called with the name of the experiment that was launched. */
  readonly onLaunched: (name: string) => void;
}

export function ClusteringButton({ project, onLaunched }: ClusteringButtonProps) {
  const { t } = useTranslation('clustering');
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon={Shapes} title={t('hint')} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t('find')}
      </Button>
      {open && <ClusteringDialog project={project} onLaunched={onLaunched} onClose={() => setOpen(false)} />}
    </>
  );
}
