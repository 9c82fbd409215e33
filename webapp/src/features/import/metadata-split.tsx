/** Whether documents are assigned to the part (train, test) named by their metadata field `split`. */
import { useQuery } from '@tanstack/react-query';
import { Split } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { SwitchRow } from '@/ui/choice-inputs';
import { Notice } from '@/ui/notice';
import { fileKey, type UploadEntry } from './import-rules';

const PEEKED_BYTES = 200_000;
const PEEKED_FILES = 20;
const PART_FIELDS = /"split"\s*:\s*"(train|test|dev|valid)/i;

/** Whether the beginnings of JSON files name parts; for other files only a dry run shows it. */
export async function filesNameSplitParts(files: readonly File[]): Promise<boolean> {
  const likely = files.filter(({ name }) => /\.jsonl?$/i.test(name)).slice(0, PEEKED_FILES);
  for (const file of likely) if (PART_FIELDS.test(await file.slice(0, PEEKED_BYTES).text())) return true;
  return false;
}

interface SwitchProps {
  readonly checked: boolean;
  readonly disabled: boolean;
  readonly onChange: (checked: boolean) => void;
}

export function MetadataSplitSwitch({ checked, disabled, onChange }: SwitchProps) {
  const { t } = useTranslation('measurement');
  return <SwitchRow label={t('import.use')} help={t('import.useHelp')} checked={checked} disabled={disabled} onChange={onChange} />;
}

/** Shown as soon as the files name training and test documents. */
export function MetadataSplitQuestion({ entries, ...choice }: SwitchProps & { readonly entries: readonly UploadEntry[] }) {
  const { t } = useTranslation('measurement');
  const { data: told } = useQuery({
    queryKey: ['import', 'parts', entries.map(({ file }) => fileKey(file))] as const,
    queryFn: () => filesNameSplitParts(entries.map(({ file }) => file)),
    enabled: entries.length > 0,
    staleTime: Infinity,
    retry: false,
    meta: { silent: true },
  });
  if (told !== true) return null;
  return (
    <Notice tone="info" icon={Split}>
      <p>{t('import.told')}</p>
      <MetadataSplitSwitch {...choice} />
    </Notice>
  );
}
