/** The keys of a surface, and the same actions in the command palette. */
import type { KeyboardEvent } from 'react';
import { assignHotkeys, actionOfKeyPress } from '@/annotation/keyboard/key-bindings';
import type { SurfaceKeyState } from '@/annotation/keyboard/key-bindings';
import { useCommands } from '@/ui/command-registry';
import { keyActionHandlers } from './key-action-handlers';
import { surfaceCommands } from './surface-commands';
import type { SurfaceInput } from './surface-types';
import type { SurfaceSelection } from './use-surface-selection';

interface SurfaceKeys {
  onKeyDown(event: KeyboardEvent): void;
  onBlur(): void;
}

export function useSurfaceKeys(input: SurfaceInput, controls: SurfaceSelection): SurfaceKeys {
  const { appearance, focusedId } = input;
  const { perform } = keyActionHandlers(controls);

  const keyState = (): SurfaceKeyState => ({
    direction: input.direction,
    hasSelection: controls.selection !== undefined,
    hasFocus: focusedId !== undefined,
    hasCaret: controls.caret !== undefined,
    readOnly: input.readOnly,
    resizing: input.edge.id !== undefined && input.edge.id === focusedId,
    released: controls.released,
    ...relationAndFragmentKeyState(input),
    takesTerms: input.terms !== undefined,
    hotkeys: assignHotkeys([...appearance.labels.values()]),
  });

  useCommands(() => {
    const root = input.root.current;
    if (input.oneOfMany === true && root?.contains(document.activeElement) !== true) return [];
    return surfaceCommands(keyState(), [...appearance.labels.values()], (action) => {
      root?.focus({ preventScroll: true });
      perform(action);
    });
  });

  return {
    onKeyDown: (event) => {
      const action = actionOfKeyPress(event, keyState());
      if (action === undefined || !perform(action)) return;
      if (action.do !== 'release') event.preventDefault();
      if (action.do !== 'escape' && action.do !== 'release') event.stopPropagation();
    },
    onBlur: () => controls.setReleased(false),
  };
}

/** The key state for relations and fragments. */
function relationAndFragmentKeyState({
  links,
  fragments,
  focusedId,
}: SurfaceInput): Pick<SurfaceKeyState, 'linkable' | 'task' | 'onRelation'> {
  const task = links?.from !== undefined ? 'link' : fragments?.id !== undefined ? 'piece' : undefined;
  return { linkable: links?.active, task, onRelation: focusedId !== undefined && links?.focused !== undefined };
}
