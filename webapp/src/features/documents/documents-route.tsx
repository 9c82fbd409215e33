import { useLocation } from 'react-router';
import { ProjectLabelsProvider } from '@/blocks/labelling/project-labels';
import { useProjectName } from '@/state/session-store';
import { DocumentScreen } from './document-screen';
import { DocumentsScreen } from './documents-screen';

/** `/documents` is the list, `/document/...` one document of it. */
export function DocumentsRoute() {
  const project = useProjectName();
  const { pathname } = useLocation();
  const single = pathname === '/document' || pathname.startsWith('/document/');
  return (
    <ProjectLabelsProvider key={project} project={project}>
      {single ? <DocumentScreen /> : <DocumentsScreen />}
    </ProjectLabelsProvider>
  );
}
