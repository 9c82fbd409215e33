import { CommandPalette } from '@/ui/command-palette';
import { usePaletteFindings } from './palette-findings';

/** The palette with what the studio holds. `onClose`: called when its code does not arrive. */
export function StudioPalette(_props: { readonly onClose: () => void }) {
  return <CommandPalette useFindings={usePaletteFindings} />;
}
