import { useTranslation } from 'react-i18next';
import { SegmentedControl } from '@/ui/choice-inputs';

export type Access = 'read' | 'write';

export interface AccessChoiceProps {
  readonly value: Access;
  readonly onChange: (next: Access) => void;
  readonly label: string;
}

/** Read or write access to a project. */
export function AccessChoice({ value, onChange, label }: AccessChoiceProps) {
  const { t } = useTranslation('project');
  const options = (['read', 'write'] as const).map((one) => ({ value: one, label: t(`share.${one}`) }));
  return <SegmentedControl label={label} value={value} onChange={onChange} options={options} />;
}
