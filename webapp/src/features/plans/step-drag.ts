/** What is dragged on the plan page: a component of the list, or a step. */
import type { DragEvent } from 'react';

export const COMPONENT_DRAG = 'application/x-annotarium-component';
export const STEP_DRAG = 'application/x-annotarium-step';

export function writeDragged(event: DragEvent, type: string, value: unknown): void {
  event.dataTransfer.setData(type, JSON.stringify(value));
  event.dataTransfer.effectAllowed = type === STEP_DRAG ? 'move' : 'copy';
}

export function readDragged<T>(event: DragEvent, type: string): T | null {
  try {
    return JSON.parse(event.dataTransfer.getData(type)) as T;
  } catch {
    return null;
  }
}

/** Whether something that can be dropped on the line of steps is over it; its content is not readable before the drop. */
export const isDroppable = (event: DragEvent): boolean =>
  [COMPONENT_DRAG, STEP_DRAG].some((type) => event.dataTransfer.types.includes(type));
