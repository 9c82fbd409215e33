/** How the names of metadata are shown, on all screens: the title that the project gives, else the readable form of the name. */
import { useQuery } from '@tanstack/react-query';
import { projectQuery } from '@/api/resources/projects';
import { useProjectName } from '@/state/session-store';
import { readableMetadataName } from '@/text/metadata-name';
import { parseMetafacets } from './metadata-facets';

export function metadataTitle(name: string, metafacets: readonly unknown[] | undefined): string {
  return parseMetafacets(metafacets).find((one) => one.name === name)?.title || readableMetadataName(name);
}

/** Of the open project, which the shell has loaded: nothing is requested here. */
export function useMetadataTitle(): (name: string) => string {
  const { data } = useQuery({ ...projectQuery(useProjectName()), enabled: false });
  return (name) => metadataTitle(name, data?.metafacets);
}
