import {
  Cog,
  FileInput,
  FileSearch,
  Languages,
  MessageSquareQuote,
  Orbit,
  Pilcrow,
  ScanText,
  TextQuote,
  type LucideIcon,
} from 'lucide-react';
import type { StepKind } from '@/api/resources/plans';

export const KIND_ICONS: Readonly<Record<StepKind, LucideIcon>> = {
  annotator: ScanText,
  processor: Cog,
  languageGuesser: Languages,
  segmenter: Pilcrow,
  vectorizer: Orbit,
  converter: FileInput,
  searchParamsBuilder: FileSearch,
  ragContextBuilder: TextQuote,
  questionAnswerer: MessageSquareQuote,
};
