import { useTranslation } from 'react-i18next';
import { LABEL_PALETTE } from '@/theme/palette';
import { labelColours } from '@/theme/label-colours';
import { useMode } from '@/theme/mode';
import { useMediaQuery } from '@/ui/media-query';
import styles from './signin.module.css';

/** Lines of text with some labelled words: position of the label, its palette colour, widths of the words. */
const LINES: readonly (readonly [number, number, readonly [number, number, number]])[] = [
  [2, 0, [36, 112, 64]],
  [0, 2, [92, 94, 44]],
  [2, 3, [54, 120, 48]],
  [0, 4, [78, 102, 62]],
  [2, 7, [72, 126, 36]],
  [0, 5, [88, 96, 80]],
  [2, 10, [90, 108, 58]],
];

function LabelledTextDrawing() {
  const mode = useMode();
  return (
    <svg width="300" height="140" aria-hidden className={styles['drawing']}>
      {LINES.map(([labelled, colour, widths], row) => {
        const y = row * 21;
        return widths.map((width, index) => {
          const x = widths.slice(0, index).reduce((sum, part) => sum + part + 8, 0);
          const fill = index === labelled ? labelColours(LABEL_PALETTE[colour], mode).bar : 'var(--line2)';
          return index === labelled ? (
            <rect key={`${row}-${index}`} x={x} y={y} width={width} height={7} rx={1.5} fill={fill} />
          ) : (
            <rect key={`${row}-${index}`} x={x} y={y + 2} width={width} height={3} rx={1.5} fill={fill} />
          );
        });
      })}
    </svg>
  );
}

export function Brand({ text }: { readonly text: string }) {
  return (
    <div className={styles['brand']}>
      <svg width="24" height="24" viewBox="0 0 24 24" aria-hidden>
        <rect width="24" height="24" rx="6" fill="var(--primary)" />
        <path d="M6 8h12M6 12h9M6 16h5" stroke="var(--on-primary)" strokeWidth="2.4" strokeLinecap="round" />
      </svg>
      {text}
    </div>
  );
}

export interface CoverProps {
  /** Null where the page has its own bar with the brand. */
  readonly brand: string | null;
  readonly title: string | undefined;
  readonly subtitle: string | undefined;
  readonly image: string | null;
  readonly video: string | null;
}

/**
 * The media side: texts and image of the theme replace ours; a video is paused with reduced motion and always covered by a layer under
 * text.
 */
export function Cover({ brand, title, subtitle, image, video }: CoverProps) {
  const { t } = useTranslation('signin');
  const still = useMediaQuery('(prefers-reduced-motion: reduce)');
  const media = image !== null || video !== null;
  return (
    <section
      className={styles['cover']}
      data-media={media || undefined}
      aria-labelledby="cover-title"
      style={image === null ? undefined : { backgroundImage: `url("${encodeURI(image)}")` }}
    >
      {video !== null && <video src={video} muted loop autoPlay={!still} playsInline aria-hidden />}
      {brand === null ? <span /> : <Brand text={brand} />}
      <div className={styles['words']}>
        <h2 id="cover-title">{title ?? t('coverTitle')}</h2>
        <p>{subtitle ?? t('coverText')}</p>
        {!media && <LabelledTextDrawing />}
      </div>
      <span />
    </section>
  );
}
