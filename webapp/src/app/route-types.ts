import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';

export type ProjectNature = 'sequence_labelling' | 'classification' | 'question_answering';

/** One row of the route table. */
export interface RouteRow {
  /** Stable name, used for the title key `shell:title.<id>`, landing order, navigation. */
  readonly id: string;
  /** Path without parameters: `/documents`. */
  readonly path: string;
  /** Optional parameters after the path, as one pattern: `/:searchParams?`. One pattern keeps the screen mounted while they change. */
  readonly params?: string;
  /** Further patterns of the same screen: `/document/:searchParams?`. */
  readonly also?: readonly string[];
  /** Target of the navigation when it is not `path`: `/labels/default`. */
  readonly to?: string;
  /** Permission or derived capability (permissions.md 2). */
  readonly rule?: string;
  /** */
  readonly needsProject?: boolean;
  /** Natures of projects for which it is allowed (N-007). */
  readonly natures?: readonly ProjectNature[];
  /** Accessible without being signed in; rendered without the shell. */
  readonly anonymous?: boolean;
  /** The screen, loaded when first shown. */
  readonly load: () => Promise<ComponentType>;
}

/** One entry of the left navigation (W-008). */
export interface NavigationRow {
  /** Id of the route it leads to. */
  readonly route: string;
  readonly icon: LucideIcon;
  /** Groups are separated by a line. */
  readonly group: 1 | 2 | 3;
  readonly natures?: readonly ProjectNature[];
}
