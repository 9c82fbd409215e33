import { Copy } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { notify } from '@/state/notifications-store';
import { Button } from './button';
import { IconButton } from './icon-button';

/** C-006 */
export const COPIED_MS = 1500;

/** Copies the text and shows a confirmation for 1.5 s. */
export async function copyText(text: string, said: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  notify({ type: 'success', message: said, fade: COPIED_MS, passing: true });
}

export function CopyButton({
  text,
  label,
  small = false,
  iconOnly = false,
}: {
  readonly text: string;
  readonly label: string;
  readonly small?: boolean;
  readonly iconOnly?: boolean;
}) {
  const { t } = useTranslation('common');
  const copy = () => void copyText(text, t('copied'));
  if (iconOnly) return <IconButton label={label} icon={Copy} small={small} onClick={copy} />;
  return (
    <Button icon={Copy} small={small} onClick={copy}>
      {label}
    </Button>
  );
}
