import { useCan } from './session-store';

/** Others work in the project, and what they annotate is hidden from the user. */
export function useSeesOwnAnnotationsOnly(project: { readonly shared?: boolean | undefined } | undefined): boolean {
  const seesAll = useCan('readUserAnnot:*');
  return project?.shared === true && !seesAll;
}
