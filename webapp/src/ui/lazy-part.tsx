import i18next from 'i18next';
import { useEffect, useState, type ComponentType } from 'react';
import { notify } from '@/state/notifications-store';

/**
 * A part, such as a dialog, whose code is loaded when it is first shown. When the code cannot be loaded the part is closed with a notice,
 * and the page stays as it is: the next opening tries again.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  return function LazyPart(props: Props) {
    const [Part, setPart] = useState<ComponentType<Props> | null>(() => loaded);
    const { onClose } = props as { onClose?: () => void };
    useEffect(() => {
      let gone = false;
      if (loaded === null)
        load().then(
          (part) => {
            loaded = part;
            if (!gone) setPart(() => part);
          },
          () => {
            if (gone) return;
            notify({ type: 'error', message: i18next.t('shell:away.part'), cause: i18next.t('shell:away.partHelp') });
            onClose?.();
          },
        );
      return () => {
        gone = true;
      };
      // Once: the part is loaded when it is first shown.
      // eslint-disable-next-line react-hooks/exhaustive-deps
    }, []);
    return Part === null ? null : <Part {...props} />;
  };
}
