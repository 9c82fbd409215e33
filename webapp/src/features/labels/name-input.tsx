import type { ComponentProps } from 'react';
import { TextInput } from '@/ui/field';

/** The name of a label, a label set or of relations: asked first, never empty. */
export function NameInput(props: Pick<ComponentProps<typeof TextInput>, 'label' | 'value' | 'onChange' | 'error' | 'help'>) {
  return <TextInput autoFocus required maxLength={255} {...props} />;
}
