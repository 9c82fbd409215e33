import { useParams } from 'react-router';
import { ProjectLabelsProvider } from '@/blocks/labelling/project-labels';
import { useProjectName } from '@/state/session-store';
import { GazetteersTab } from './gazetteers-tab';
import { LexiconsTab } from './lexicons-tab';
import { SettingsTab } from './settings-tab';
import { TermsTab } from './terms-tab';
import { tabOf } from './vocabulary-frame';

const CONTENTS = { lexicons: LexiconsTab, annotators: GazetteersTab, terms: TermsTab, settings: SettingsTab } as const;

/** the vocabularies of a project: lexicons, the annotators made from them, their terms. */
export function VocabulariesScreen() {
  const project = useProjectName();
  const { selectedTab } = useParams();
  const Content = CONTENTS[tabOf(selectedTab)];
  return (
    <ProjectLabelsProvider key={project} project={project}>
      <Content project={project} />
    </ProjectLabelsProvider>
  );
}
