import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Segment } from '@/api/resources/segments';
import { BulkBar } from '@/ui/bulk-bar';
import { BulkMenu } from '@/blocks/bulk/bulk-menu';
import { Button } from '@/ui/button';
import { saveFile } from '@/ui/save-file';
import type { SearchAddress } from '@/state/search-address';

interface SelectionBarProps {
  readonly project: string;
  readonly state: SearchAddress;
  readonly segments: readonly Segment[];
  readonly selected: ReadonlySet<string>;
  readonly onClear: () => void;
}

/** Actions on the selected segments of the page. */
export function SelectionBar({ project, state, segments, selected, onClear }: SelectionBarProps): ReactNode {
  const { t } = useTranslation('explore');
  const chosen = segments.filter(({ identifier }) => selected.has(identifier));
  return (
    <BulkBar count={chosen.length} onClose={onClear}>
      <Button kind="quiet" icon={Download} onClick={() => saveFile(`${project}-segments.json`, JSON.stringify(chosen, null, 2))}>
        {t('download')}
      </Button>
      <BulkMenu
        quiet
        project={project}
        target={{ searchIn: 'segments', search: state, selection: chosen.map(({ identifier }) => identifier) }}
        onStarted={onClear}
      />
    </BulkBar>
  );
}
