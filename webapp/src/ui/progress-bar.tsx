import styles from './ui.module.css';

export interface ProgressBarProps {
  /** 0..1 */
  readonly share: number;
  readonly label: string;
  /** Text next to the bar: `6 of 10`. */
  readonly text?: string;
  readonly width?: number;
  readonly tone?: 'ring' | 'success' | 'warning';
}

/** Only for known progress. Unknown progress is shown as a spinner and the elapsed time. */
export function ProgressBar({ share, label, text, width = 170, tone = 'ring' }: ProgressBarProps) {
  const percent = Math.round(Math.min(1, Math.max(0, share)) * 100);
  return (
    <span className={styles['progress']}>
      <span
        className={styles['progress-track']}
        data-tone={tone}
        style={{ width }}
        role="progressbar"
        aria-label={label}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        {...(text === undefined ? {} : { 'aria-valuetext': text })}
      >
        <span style={{ width: `${percent}%` }} />
      </span>
      {text !== undefined && <span className={styles['progress-text']}>{text}</span>}
    </span>
  );
}
