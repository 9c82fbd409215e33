import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { projectsQuery, type Project } from '@/api/resources/projects';
import { SelectInput } from '@/ui/choice-inputs';

interface TemplateSelectProps {
  /** Name of the chosen project; empty: none. */
  readonly value: string;
  readonly onChange: (template: Project | undefined) => void;
}

/** A project to start from: the new one gets its labels, settings and plans. Not shown without projects. */
export function TemplateSelect({ value, onChange }: TemplateSelectProps) {
  const { t } = useTranslation('home');
  const { data: projects = [] } = useQuery({ ...projectsQuery(), meta: { silent: true } });
  if (projects.length === 0) return null;
  const chosen = projects.find(({ name }) => name === value);
  const options = [...projects]
    .sort((one, other) => one.label.localeCompare(other.label))
    .map(({ name, label }) => ({ value: name, label }));
  return (
    <SelectInput
      label={t('template.label')}
      value={value}
      options={[{ value: '', label: t('template.none') }, ...options]}
      onChange={(name) => onChange(projects.find((project) => project.name === name))}
      help={
        chosen === undefined
          ? t('template.help')
          : t('template.takes', { nature: t(`nature.${chosen.nature ?? 'unknown'}`, { defaultValue: chosen.nature ?? '' }) })
      }
    />
  );
}
