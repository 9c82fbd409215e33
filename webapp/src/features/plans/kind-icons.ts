import { Cog, FileInput, Languages, Orbit, Pilcrow, ScanText, type LucideIcon } from 'lucide-react';
import type { StepKind } from '@/api/resources/plans';

export const KIND_ICONS: Readonly<Record<StepKind, LucideIcon>> = {
  annotator: ScanText,
  processor: Cog,
  languageGuesser: Languages,
  segmenter: Pilcrow,
  vectorizer: Orbit,
  converter: FileInput,
};
