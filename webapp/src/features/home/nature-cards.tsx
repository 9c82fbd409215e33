import { FileQuestionMark, Highlighter, Tags, type LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { ChoiceCards } from '@/ui/choice-cards';
import { ANSWERS } from './project-name';

const ICONS: Readonly<Record<string, LucideIcon>> = {
  sequence_labelling: Highlighter,
  classification: Tags,
  question_answering: FileQuestionMark,
};

interface NatureCardsProps {
  readonly available: readonly string[];
  readonly features: readonly string[];
  readonly value: string;
  readonly onChange: (nature: string) => void;
}

/** What the project is for: each nature says what it will do, and what cannot be done yet. */
export function NatureCards({ available, features, value, onChange }: NatureCardsProps) {
  const { t } = useTranslation('home');
  return (
    <ChoiceCards
      label={t('field.nature')}
      value={value}
      onChange={onChange}
      options={available.map((nature) => {
        const Icon = ICONS[nature] ?? Highlighter;
        return {
          value: nature,
          label: t(`nature.${nature}`, { defaultValue: nature }),
          text: t(`natureHelp.${nature}`, { defaultValue: '' }),
          note: nature === 'question_answering' && !features.includes(ANSWERS) ? t('answersLater') : undefined,
          icon: <Icon size={18} strokeWidth={1.75} />,
        };
      })}
    />
  );
}
