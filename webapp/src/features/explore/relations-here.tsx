import type { ReactNode } from 'react';
import type { AnnotatedText } from '@/annotation/connected/use-annotated-text';
import type { ViewFilter } from '@/annotation/connected/view-filter';
import { RelationList } from '@/annotation/relation-list';
import type { DetailsProps } from './segment-results';
import { useSegmentRelations } from './use-segment-relations';

/** Relations within the segment: shown, turned round and taken away here; named in the text. */
export function RelationsHere({ segment, content, filter, onFilter, ...props }: RelationsHereProps): ReactNode {
  const { drawn, all } = useSegmentRelations(segment, props.labelling, props.writable, filter.relations, props);
  const { onRename: _named, ...listed } = drawn;
  const ids = new Set(content.all.map(({ id }) => id));
  const here = all.filter(({ source, target }) => ids.has(source) && ids.has(target));
  if (here.length === 0) return null;
  return (
    <RelationList
      relations={here}
      drawn={listed}
      spans={content.all}
      text={segment.text}
      shown={filter.relations}
      onShown={(relations) => onFilter({ ...filter, relations })}
      onRename={nothing}
      onJump={({ id, source }) => {
        props.onFocusSpan(source);
        props.onFocusRelation(id);
      }}
    />
  );
}

interface RelationsHereProps extends DetailsProps {
  readonly content: AnnotatedText;
  readonly onFilter: (filter: ViewFilter) => void;
}

const nothing = (): void => undefined;
