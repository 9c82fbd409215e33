/** R-022, S-046: starts topic detection from the experiments screen with one click. */
import { Shapes } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/button';
import { useClustering } from './use-clustering';

export interface ClusteringButtonProps {
  readonly project: string;
  /** Called with the name of the experiment that was launched. */
  readonly onLaunched: (name: string) => void;
}

export function ClusteringButton({ project, onLaunched }: ClusteringButtonProps) {
  const { t } = useTranslation('clustering');
  const { launch, obstacle, first } = useClustering(project);
  const why = obstacle === null ? t(first === undefined ? 'hint' : 'hintAgain') : t(`obstacle.${obstacle}`);
  return (
    <Button
      icon={Shapes}
      title={why}
      busy={launch.isPending}
      disabled={obstacle !== null}
      onClick={() => launch.mutate(undefined, { onSuccess: onLaunched })}
    >
      {t('find')}
    </Button>
  );
}
