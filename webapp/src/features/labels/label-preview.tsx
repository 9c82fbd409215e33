/** Preview of a label: its tag, an annotated text in both modes, and the contrasts. */
import { useTranslation } from 'react-i18next';
import { contrast } from '@/theme/colour';
import { labelColours, labelVariables } from '@/theme/label-colours';
import { NEUTRALS, type Mode } from '@/theme/tokens';
import { useFormat } from '@/ui/format';
import { labelDisplayName, proposeTag } from '@/text/short-name';
import styles from './labels.module.css';

/** Contrast of the text on the bar, and of the document's text on the fill. */
export function labelContrasts(stored: string, mode: Mode): { readonly bar: number; readonly fill: number } {
  const { bar, onBar, fill } = labelColours(stored, mode);
  return { bar: contrast(onBar, bar), fill: contrast(NEUTRALS[mode].text, fill) };
}

export interface LabelPreviewProps {
  readonly title: string;
  readonly colour: string;
  readonly taken: ReadonlySet<string>;
}

export function LabelPreview({ title, colour, taken }: LabelPreviewProps) {
  const { t } = useTranslation('labels');
  const format = useFormat();
  const shown = title.trim() === '' ? t('field.label') : title.trim();
  const ratio = (value: number) => format.number(Math.round(value * 10) / 10);
  return (
    <figure className={styles['preview']} aria-label={t('previewText', { label: shown })}>
      {(['light', 'dark'] as const).map((mode) => {
        const { bar, fill } = labelContrasts(colour, mode);
        const ground = { backgroundColor: NEUTRALS[mode].surface, color: NEUTRALS[mode].text };
        return (
          <div key={mode} className={styles['preview-mode']} style={{ ...ground, ...labelVariables(colour, mode) }}>
            <mark className={styles['preview-mark']}>{labelDisplayName(shown)}</mark>
            <span className={styles['preview-tag']}>{proposeTag(shown, taken)}</span>
            <small>
              {ratio(bar)} / {ratio(fill)}
            </small>
          </div>
        );
      })}
    </figure>
  );
}
